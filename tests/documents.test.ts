import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rateLimitNames } from '../src/contract/rate-limits.ts'

/** Lines in docs/spec may be longer because its tables are wide. */
const documents = [
  { file: 'README.md', width: 110 },
  { file: 'CONTRIBUTING.md', width: 130 },
  { file: 'CHANGELOG.md', width: 120 },
  { file: 'SECURITY.md', width: 120 },
  ...globSync('docs/spec/*.md').map((file) => ({ file, width: 300 })),
  ...globSync('docs/decisions/*.md').map((file) => ({ file, width: 160 })),
  ...globSync('docs/{*,{guides,operations,development}/*}.md').map((file) => ({ file, width: 120 })),
]

describe.each(documents)('$file', ({ file, width }) => {
  const lines = readFileSync(file, 'utf8').split('\n')

  it(`has lines of at most ${width} characters`, () => {
    const long = lines.flatMap((line, index) => (line.length > width ? `${file}:${index + 1}` : []))
    expect(long).toEqual([])
  })
})

/** `tests/oidc/sessions/device-terminal.test.ts` runs the demonstration script. */
it('README.md and docs/guides/devices.md mention a demonstration that exists', () => {
  const [, file = ''] =
    /`npx node (\S+) http:\/\/localhost:8787 APPLICATION_ID`/.exec(readFileSync('README.md', 'utf8')) ?? []
  expect(existsSync(file)).toBe(true)
  expect(readFileSync('docs/guides/devices.md', 'utf8')).toContain(
    `npx node ${file} http://localhost:8787 APPLICATION_ID`,
  )
})

/**
 * Placeholders such as `src/storage/<chapter>` are not paths. Superseded decisions describe code that was
 * deleted.
 */
it('every path in a document names an existing file or folder', () => {
  const texts = documents.map(({ file }) => ({ file, text: readFileSync(file, 'utf8') }))
  const mentioned = texts
    .filter(({ text }) => !/^- Status: superseded/m.test(text))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/`((?:src|client|console|operator|scripts|tests|docs)\/[\w./-]+)`/g)].map(
        ([, target = '']) => ({ file, target }),
      ),
    )
  expect(mentioned.length).toBeGreaterThan(100)
  const isGenerated = (target: string) => target.startsWith('tests/screenshots')
  expect(mentioned.filter(({ target }) => !isGenerated(target) && !existsSync(target))).toEqual([])
})

it.each(['docs/spec/limits.md', 'docs/spec/accounts.md'])('%s has a row for every rate limit', (file) => {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => [...(/^\|([^|]+)\|/.exec(line)?.[1] ?? '').matchAll(/`(\w+)`/g)])
    .map(([, name]) => name)
  expect(rateLimitNames.filter((name) => !rows.includes(name))).toEqual([])
})
