import type { Catalogue } from '../contract/catalogue.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { Phrases } from '../contract/interactions/boot.ts'
import { isRecord } from '../contract/is-record.ts'
import { translatorFor } from './experience/translator.ts'

/**
 * Returns the message of an error in the language of the catalogue. `{{name}}` is replaced by the value with that name
 * in `data`. The result is plain text, which callers must escape for HTML. If the catalogue has no text for a code, the
 * code itself is returned.
 */
export function refusalMessage(
  { catalogue, language }: { catalogue: Catalogue; language: string },
  code: ErrorCode,
  data: unknown,
): string {
  const values = Object.entries(isRecord(data) ? data : {}).map(([name, value]) => [name, toText(value)])
  return translatorFor(catalogue.errors, { language })(code, Object.fromEntries(values))
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
