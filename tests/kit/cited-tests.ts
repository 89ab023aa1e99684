import { existsSync, globSync, readFileSync } from 'node:fs'

/** A test as a document cites it: the line of the document, the file, and the title as it is written in the source. */
export type CitedTest = { line: number; file: string; title: string }

/** An id in front of a title, by which docs/operations/security.md cites the test. */
const ID = /^\[([A-Z][A-Z\d]*-[\d.]+(?:-\d+)?)\] /

/** Returns the ids of the tests in a source text. */
export const testIds = (source: string): string[] =>
  wholeTitles(source).flatMap((title) => ID.exec(title)?.[1] ?? [])

/** Returns the titles of the tests in a source text without ids; titles of tables keep their placeholders. */
export const testTitles = (source: string): string[] =>
  wholeTitles(source).map((title) => title.replace(ID, ''))

function wholeTitles(source: string): string[] {
  const call = /(?:\b(it|test)(?:\.(?:each|for)\b(?:<[^(]*>)?)?|\))\(\s*(['"`])((?:\\.|(?!\2).)*)\2\s*,/gs
  return [...source.matchAll(call)].map(([, , , title = '']) => title.replaceAll(/\\(.)/g, '$1'))
}

/**
 * Returns the citations without a test, each with the most similar title in the cited file, or in all files if that
 * does not exist.
 */
export function missingTests(document: string, cited: readonly CitedTest[]): string[] {
  const titlesByFile = new Map<string, string[]>()
  const titlesOf = (file: string) => {
    const titles = titlesByFile.get(file) ?? (existsSync(file) ? testTitles(readFileSync(file, 'utf8')) : [])
    titlesByFile.set(file, titles)
    return titles
  }
  return cited
    .filter(({ file, title }) => !titlesOf(file).includes(title))
    .map(({ line, file, title }) => {
      const files = existsSync(file) ? [file] : globSync('tests/**/*.test.ts')
      const candidates = files.flatMap((file) => titlesOf(file).map((title) => ({ file, title })))
      const match = mostSimilar(title, candidates)
      const proposal = match ? `, most similar: ${match.file} "${match.title}"` : ''
      return `${document}:${line} ${file} "${title}"${proposal}`
    })
}

function mostSimilar<T extends { title: string }>(title: string, candidates: readonly T[]): T | undefined {
  const ranked = candidates.map((candidate) => ({ candidate, score: similarity(title, candidate.title) }))
  return ranked.toSorted((a, b) => b.score - a.score)[0]?.candidate
}

/** The share of common letter pairs (Sørensen–Dice). */
function similarity(a: string, b: string): number {
  const [first, second] = [letterPairs(a), letterPairs(b)]
  const common = [...first].filter((pair) => second.has(pair)).length
  return (2 * common) / Math.max(1, first.size + second.size)
}

const letterPairs = (text: string) =>
  new Set([...text.toLowerCase()].map((letter, index, all) => letter + (all[index + 1] ?? '')))
