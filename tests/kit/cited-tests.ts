import { existsSync, globSync, readFileSync } from 'node:fs'

/**
 * A citation of a test in a document: the line in the document, the test file, and the title as written in the source.
 */
export type CitedTest = { line: number; file: string; title: string }

/** Matches the id at the start of a title, with which docs/operations/security.md cites the test. */
const ID = /^\[([A-Z][A-Z\d]*-[\d.]+(?:-\d+)?)\] /

/** Returns the ids of the tests in a source text. */
export const testIds = (source: string): string[] =>
  wholeTitles(source).flatMap((title) => ID.exec(title)?.[1] ?? [])

/**
 * Returns the titles of the tests in a source text, without ids. Titles of parameterised tests keep their placeholders.
 */
export const testTitles = (source: string): string[] =>
  wholeTitles(source).map((title) => title.replace(ID, ''))

function wholeTitles(source: string): string[] {
  const call = /(?:\b(it|test)(?:\.(?:each|for)\b(?:<[^(]*>)?)?|\))\(\s*(['"`])((?:\\.|(?!\2).)*)\2\s*,/gs
  return [...source.matchAll(call)].map(([, , , title = '']) => title.replaceAll(/\\(.)/g, '$1'))
}

/**
 * Returns the citations of tests that do not exist, each with the most similar title in the cited file or, if that file
 * does not exist, in any file.
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

/** Returns the share of letter pairs that two texts have in common (Sørensen–Dice). */
function similarity(a: string, b: string): number {
  const [first, second] = [letterPairs(a), letterPairs(b)]
  const common = [...first].filter((pair) => second.has(pair)).length
  return (2 * common) / Math.max(1, first.size + second.size)
}

const letterPairs = (text: string) =>
  new Set([...text.toLowerCase()].map((letter, index, all) => letter + (all[index + 1] ?? '')))
