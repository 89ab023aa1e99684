import { type PhraseTable, useLanguage } from '../phrases.ts'
import { words } from '../words.ts'

type Labels = Readonly<Record<string, string>>

/** What a field is called, by its path (`config.url`): a part without a label of its own is called as what it is part of. */
export function findLabel(path: string, ...tables: readonly Labels[]): string {
  const parts = path.split('.')
  const paths = parts.map((_, at) => parts.slice(0, parts.length - at).join('.'))
  return paths.map((each) => tables.find((table) => Object.hasOwn(table, each))?.[each]).find(Boolean) ?? path
}

/** The names of fields that phrases of these tables have for their key, after those in `labels`. */
export function useFieldNames(tables: readonly PhraseTable[], labels: Labels = {}): (path: string) => string {
  const tag = useLanguage()
  return (path) => findLabel(path, labels, ...[...tables, words as PhraseTable].map((table) => table[tag]))
}
