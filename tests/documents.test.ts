import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Lines in docs/spec may be longer because its tables are wide; a terminal still displays them. */
const documents = [
  { file: 'README.md', width: 110 },
  { file: 'CONTRIBUTING.md', width: 130 },
  ...globSync('docs/spec/*.md').map((file) => ({ file, width: 300 })),
  ...globSync('docs/decisions/*.md').map((file) => ({ file, width: 160 })),
  ...globSync('docs/*.md').map((file) => ({ file, width: 120 })),
]

describe.each(documents)('$file', ({ file, width }) => {
  const lines = readFileSync(file, 'utf8').split('\n')

  it(`has lines of at most ${width} characters`, () => {
    const long = lines.flatMap((line, index) => (line.length > width ? `${file}:${index + 1}` : []))
    expect(long).toEqual([])
  })
})

/** `tests/oidc/sessions/device-terminal.test.ts` runs the demonstration. */
it('README.md and docs/integration.md refer to a demonstration that exists', () => {
  const [, file = ''] =
    /`npx node (\S+) http:\/\/localhost:8787 APPLICATION_ID`/.exec(readFileSync('README.md', 'utf8')) ?? []
  expect(existsSync(file)).toBe(true)
  expect(readFileSync('docs/integration.md', 'utf8')).toContain(
    `npx node ${file} http://localhost:8787 APPLICATION_ID`,
  )
})
