import type { Catalogue } from '../contract/catalogue.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { Phrases } from '../contract/interactions/boot.ts'
import { isRecord } from '../contract/is-record.ts'

/**
 * The message of a refusal in the language of this catalogue. `{{name}}` is replaced by the value of that name in `data`.
 * The answer is plain text: callers escape it for HTML. A code without a text answers the code.
 */
export function refusalMessage(catalogue: Catalogue, code: ErrorCode, data: unknown): string {
  const text = phraseAt(catalogue.errors, code)
  const values: Record<string, unknown> = isRecord(data) ? data : {}
  return text?.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => written(values[name])) ?? code
}

/** The phrase of a dotted key. */
export function phraseAt(phrases: Phrases, key: string): string | undefined {
  let phrase: string | Phrases | undefined = phrases
  for (const name of key.split('.')) {
    phrase = typeof phrase === 'object' && Object.hasOwn(phrase, name) ? phrase[name] : undefined
  }
  return typeof phrase === 'string' ? phrase : undefined
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
