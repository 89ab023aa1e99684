import { type PhraseTable, useLanguage } from '../phrases.ts'
import { words } from '../words.ts'

type Labels = Readonly<Record<string, string>>

/**
 * Returns the label of a field by its path (`config.url`). A nested field without a label uses that of its parent.
 */
export function findLabel(path: string, ...tables: readonly Labels[]): string {
  const parts = path.split('.')
  const paths = parts.map((_, at) => parts.slice(0, parts.length - at).join('.'))
  return paths.map((each) => tables.find((table) => Object.hasOwn(table, each))?.[each]).find(Boolean) ?? path
}

/**
 * Returns a function that returns the label of a field. It looks in `labels` first, then in the phrases of the tables.
 */
export function useFieldNames(tables: readonly PhraseTable[], labels: Labels = {}): (path: string) => string {
  const tag = useLanguage()
  return (path) => findLabel(path, labels, ...[...tables, words as PhraseTable].map((table) => table[tag]))
}
