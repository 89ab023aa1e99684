import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { designTokens } from './kit/design-tokens.ts'

/**
 * Checks that docs/development/design.md, docs/guides/console.md and the gallery in docs/guides/theming.md
 * match the current styles and screens. `npm run screens -- docs` regenerates the pictures and tables of
 * these documents.
 */

const design = readFileSync('docs/development/design.md', 'utf8')
const theming = readFileSync('docs/guides/theming.md', 'utf8')
const consoleGuide = readFileSync('docs/guides/console.md', 'utf8')
const rowsOf = (table: string) =>
  table
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| -/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

describe('the design tokens', () => {
  it('have the same values in docs/development/design.md and in the style sheets', () => {
    const [, table = ''] = /<!-- tokens -->\n(.*)<!-- end of tokens -->/s.exec(design) ?? []
    const documented = [...table.matchAll(/`(--[\w-]+)`/g)].map(([, name]) => name)
    const declared = designTokens().map(({ name }) => name)
    expect(new Set(documented)).toEqual(new Set(declared))
  })

  it('resolve to colours, with sufficient contrast for text and lines', () => {
    const tokens = designTokens()
    const unresolved = ({ light, dark }: { light: string; dark: string }) =>
      /color-mix|rgb|undefined|NaN|var\(--color/.test(light + dark)
    expect(tokens.filter(unresolved)).toEqual([])
    expect(tokens.filter(({ isEnough }) => !isEnough)).toEqual([])
  })
})

describe('the parts listed in docs/development/design.md', () => {
  const [, table = ''] = /## Parts\n(.*)$/s.exec(design) ?? []
  const [, ...parts] = rowsOf(table).map(([, name = '', , where = '']) => ({
    name: name.replaceAll('`', ''),
    where: where.replaceAll('`', ''),
  }))
  const styles = globSync('client/styles/**/*.css').map((file) => readFileSync(file, 'utf8'))

  it.each(parts)('include $name, which has styles and is rendered by $where', ({ name, where }) => {
    expect(styles.some((sheet) => new RegExp(`\\.${name}\\b`).test(sheet))).toBe(true)
    const stem = name.replace(/-(?:primary|quiet)$/, '-${kind')
    expect(readFileSync(where.startsWith('src/') ? where : path.join('client', where), 'utf8')).toContain(
      stem,
    )
  })

  it('are not an empty list', () => {
    expect(parts).not.toEqual([])
  })
})

describe.each([
  { page: 'docs/development/design.md', text: design, folder: 'design', bytes: 40_000 },
  { page: 'docs/guides/theming.md', text: theming, folder: 'design/looks', bytes: 30_000 },
  { page: 'docs/guides/console.md', text: consoleGuide, folder: 'design/console', bytes: 60_000 },
])('the images on $page', ({ page, text, folder, bytes }) => {
  const files = new Map([...text.matchAll(/^\[(\w+)\]: (\S+)$/gm)].map(([, name, file]) => [name, file]))
  const references = [...text.matchAll(/!\[([^\]]+)\](?:\(([^)]+)\)|\[(\w+)\])/g)].map(
    ([, alt = '', file, name]) => ({
      alt,
      file: path.join(path.dirname(page), file ?? files.get(name) ?? ''),
    }),
  )
  const present = globSync(`docs/${folder}/*.webp`)

  it('are exactly those in its folder, and each has alternative text', () => {
    expect(references.map(({ file }) => file).sort()).toEqual(present.sort())
    expect(references.filter(({ alt }) => alt.trim() === '')).toEqual([])
  })

  it(`take up at most ${bytes} bytes each`, () => {
    const large = present.filter((file) => statSync(file).size > bytes)
    expect(large).toEqual([])
  })
})
