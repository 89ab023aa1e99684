import { existsSync, globSync, readFileSync } from 'node:fs'

/**
 * A citation of a test in a document: the line in the document, the test file, and the title as written in the source.
 * A title that consists only of placeholders names no test, so its citation also has a text of the row that it means.
 */
export type CitedTest = { line: number; file: string; title: string; row?: string | undefined }

/** Splits a citation in the form `file › title` or `file › title › row`. */
export function readCitation(citation: string): Omit<CitedTest, 'line'> {
  const [file = '', title = '', row] = citation.split(' › ')
  return { file, title, row }
}

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

const PLACEHOLDER = /%[sdifjoOc#$]|\$\{?[\w.]+\}?/g

/** Returns whether a title says nothing without the values of its rows, such as `$title` or `%s is "%s"`. */
function needsRow(title: string): boolean {
  const rest = title.replaceAll(PLACEHOLDER, ' ')
  return rest !== title && !/\p{L}{3}/u.test(rest)
}

/** Returns the citations whose row is missing, although the title needs one, or is not a string in the cited file. */
export function missingRows(document: string, cited: readonly CitedTest[]): string[] {
  const hasString = (file: string, row: string) => {
    const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return source.includes(`'${row}'`) || source.includes(`"${row}"`)
  }
  return cited
    .filter(({ file, title, row }) => (row === undefined ? needsRow(title) : !hasString(file, row)))
    .map(({ line, file, title, row }) => `${document}:${line} ${file} "${title}" ${row ?? 'needs a row'}`)
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
