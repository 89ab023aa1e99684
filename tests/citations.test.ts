import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from './kit/source-files.ts'

/**
 * Checks that every citation resolves (docs/spec/README.md, ADR-0056) to a section of the specification
 * (`spec/interaction#submit`), a decision record (`ADR-0016`) or a clause of a public document (`RFC 6749 §5.2`, `OIDC
 * Core §3.1.3.7`, `ASVS 6.6.3`).
 */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:tsx?|mjs|cjs|js|css|md|sql|toml|yml)$/.test(file))
  .filter(
    (file) => !/^(?:migrations\/meta|client\/public)\//.test(file) && file !== 'tests/citations.test.ts',
  )

const lines = files.flatMap((file) =>
  readFileSync(path.join(repositoryRoot, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ at: `${file}:${index + 1}`, file, text })),
)

const matchesOf = (pattern: RegExp, within = lines) =>
  within.flatMap(({ at, text }) => [...text.matchAll(pattern)].map((match) => ({ at, match })))

const anchors = new Map(
  readdirSync(path.join(repositoryRoot, 'docs/spec')).map((name) => {
    const text = readFileSync(path.join(repositoryRoot, 'docs/spec', name), 'utf8')
    return [name.replace(/\.md$/, ''), [...text.matchAll(/<a id="([\w-]+)"><\/a>/g)].map(([, id = '']) => id)]
  }),
)
const records = readdirSync(path.join(repositoryRoot, 'docs/decisions')).flatMap(
  (name) => /^\d{4}/.exec(name)?.[0] ?? [],
)

describe('citations', () => {
  it('resolve to a section if they cite the specification', () => {
    const cited = matchesOf(/\bspec\/([\w-]+)(?:\.md)?#([\w-]+)/g)
    expect(cited.length).toBeGreaterThan(300)
    const broken = cited.filter(
      ({ match: [, page = '', anchor = ''] }) => !anchors.get(page)?.includes(anchor),
    )
    expect(broken.map(({ at, match: [text] }) => `${at} ${text}`)).toEqual([])
  })

  it('resolve to a decision record if they cite a decision', () => {
    const broken = matchesOf(/\bADR-(\d+)\b/g).filter(
      ({ match: [, number = ''] }) => !records.includes(number),
    )
    expect(broken.map(({ at, match: [text] }) => `${at} ${text}`)).toEqual([])
  })

  it('use one of the documented formats', () => {
    // Examples of malformed citations are `design 2`, `(decision 14)`, `record 0016`, `contract 2.8` and, without a
    // section sign, `RFC 6749, 5.2`.
    const malformed =
      /\b(?:contract|design|decisions?|decision records?|records?|style|product) \d+(?:\.\d+)*\b|\(0\d{3}\)|\bRFC \d+,? \d|\b(?:OpenID Connect|OIDC) (?:Core|Discovery)(?: 1\.0,|,)? (?!1\.0\b)\d+\b/gi
    const checkedLines = lines.filter(({ file }) => !/^docs\/benchmarks/.test(file))
    expect(matchesOf(malformed, checkedLines).map(({ at, match: [text] }) => `${at} ${text}`)).toEqual([])
  })
})

describe('links between documents', () => {
  const documents = files.filter((file) => file.endsWith('.md'))

  it('resolve to an existing file and, in the specification, to an existing anchor', () => {
    const links = matchesOf(
      /\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)/g,
      lines.filter(({ file }) => documents.includes(file)),
    )
    const broken = links.filter(({ at, match: [, to = '', anchor] }) => {
      const from = at.replace(/:\d+$/, '')
      const target = to === '' ? from : path.join(path.dirname(from), to)
      if (!existsSync(path.join(repositoryRoot, target))) return true
      const page = /^docs\/spec\/([\w-]+)\.md$/.exec(target)?.[1]
      return page !== undefined && anchor !== undefined && !anchors.get(page)?.includes(anchor)
    })
    expect(broken.map(({ at, match: [text] }) => `${at} ${text}`)).toEqual([])
  })
})

describe('the specification', () => {
  it('uses each anchor once per page', () => {
    const duplicates = [...anchors].flatMap(([page, ids]) =>
      ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${page}#${id}`),
    )
    expect(duplicates).toEqual([])
  })

  it('has an anchor before every heading', () => {
    const withoutAnchor = [...anchors.keys()].flatMap((page) => {
      const text = readFileSync(path.join(repositoryRoot, `docs/spec/${page}.md`), 'utf8')
      return page === 'README'
        ? []
        : [...text.matchAll(/(?<!<a id="[\w-]+"><\/a>\n\n)^#{2,4} .*$/gm)].map(([line]) => `${page}: ${line}`)
    })
    expect(withoutAnchor).toEqual([])
  })
})

describe('decision records', () => {
  it('are cited, or explain why they are not', () => {
    const cited = new Set(
      matchesOf(
        /\bADR-(\d{4})\b/g,
        lines.filter(({ file }) => !file.startsWith('docs/decisions/')),
      ).map(({ match: [, number] }) => number),
    )
    const unexplained = readdirSync(path.join(repositoryRoot, 'docs/decisions'))
      .filter((name) => /^\d{4}/.test(name) && !cited.has(name.slice(0, 4)))
      .filter(
        (name) =>
          !/^Not cited:/m.test(readFileSync(path.join(repositoryRoot, 'docs/decisions', name), 'utf8')),
      )
    expect(unexplained).toEqual([])
  })
})
