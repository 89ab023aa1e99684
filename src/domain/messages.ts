import type { Catalogue } from '../contract/catalogue.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { Phrases } from '../contract/interactions/boot.ts'
import { isRecord } from '../contract/is-record.ts'

/**
 * Returns the message of an error in the catalogue's language. `{{name}}` is replaced by the value with that name in
 * `data`. The result is plain text, which callers must escape for HTML. If the catalogue has no text for a code, the
 * code itself is returned.
 */
export function refusalMessage(catalogue: Catalogue, code: ErrorCode, data: unknown): string {
  const text = findPhrase(catalogue.errors, code)
  const values: Record<string, unknown> = isRecord(data) ? data : {}
  return text?.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => toText(values[name])) ?? code
}

/** Returns the phrase with a dotted key, such as `action.sign_in`, or undefined if there is none. */
export function findPhrase(phrases: Phrases, key: string): string | undefined {
  let phrase: string | Phrases | undefined = phrases
  for (const name of key.split('.')) {
    phrase = typeof phrase === 'object' && Object.hasOwn(phrase, name) ? phrase[name] : undefined
  }
  return typeof phrase === 'string' ? phrase : undefined
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
