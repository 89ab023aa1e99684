import type { Phrases } from '../contract/boot.ts'
import type { Catalogue } from '../contract/catalogue.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { isRecord } from '../contract/is-record.ts'

/**
 * What a refusal says in the language of this catalogue. `{{name}}` stands for the value of that name in `data`.
 * The answer is plain text: whoever puts it into HTML escapes it. A code without a text answers itself.
 */
export function message(catalogue: Catalogue, code: ErrorCode, data: unknown): string {
  const text = phrase(catalogue.errors, code)
  const values: Record<string, unknown> = isRecord(data) ? data : {}
  return text?.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => spoken(values[name])) ?? code
}

/** The phrase behind a dotted key. */
export function phrase(phrases: Phrases, key: string): string | undefined {
  let found: string | Phrases | undefined = phrases
  for (const name of key.split('.')) {
    found = typeof found === 'object' && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return typeof found === 'string' ? found : undefined
}

function spoken(value: unknown): string {
  if (Array.isArray(value)) return value.map(spoken).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
