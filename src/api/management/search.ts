import type { Context } from 'hono'
import { type Refusal, refuse } from '../../contract/errors.ts'
import { isRefusal, throwIfRefused } from '../../contract/refused.ts'
import { isStorable } from '../../contract/text.schema.ts'
import { isWithinPatternLimit, parseLikePattern } from '../../domain/like-pattern.ts'
import type { TextSearch, TextSearchTerm } from '../../storage/text-search.ts'
import { rawQueryValue } from './pagination.ts'

/**
 * Parses search parameters: the values to search for, the fields to search, and the way to compare them
 * (spec/management#search).
 */
type SearchQuery<Field extends string> = {
  joint: 'or' | 'and'
  isCaseSensitive: boolean
  terms: readonly SearchQueryTerm<Field>[]
}

type SearchQueryTerm<Field extends string> = { fields: readonly Field[] } & (
  | { mode: 'exact'; values: readonly string[] }
  | { mode: 'like'; pattern: string }
)

/**
 * Declares the search parameters of a list. `readSearch` checks their values, and also reads `search.{field}` and
 * `mode.{field}`.
 */
export const searchQuery = {
  search: rawQueryValue.meta({ type: 'string' }),
  mode: rawQueryValue.meta({ type: 'string', enum: ['like', 'exact'], default: 'like' }),
  joint: rawQueryValue.meta({ type: 'string', enum: ['or', 'and'], default: 'or' }),
  isCaseSensitive: rawQueryValue.meta({ type: 'boolean', default: false }),
}

/** Parses the search parameters and rejects searches that spec/management#search does not allow. */
export function readSearch<Field extends string>(
  query: URLSearchParams,
  fields: readonly Field[],
): SearchQuery<Field> | Refusal {
  const joint = query.get('joint') ?? query.get('jointMode') ?? 'or'
  if (joint !== 'or' && joint !== 'and') return refuseSearch('joint must be "or" or "and"')

  const modes = readModes(query, fields)
  if (isRefusal(modes)) return modes

  const terms: SearchQueryTerm<Field>[] = []
  for (const key of new Set(query.keys())) {
    const name = keyName(key, 'search')
    if (name === undefined) continue
    const searchedFields = fieldsOf(name, fields)
    if (!searchedFields) return refuseSearch(`there is no field "${name}"`)
    const term = readTerm(query.getAll(key), searchedFields, modes.get(name) ?? modes.get('') ?? 'like')
    if (isRefusal(term)) return term
    terms.push(term)
  }
  return { joint, terms, isCaseSensitive: isTrueParameter(query.get('isCaseSensitive')) }
}

/** Parses a search that scans every row. Rejects patterns that the database cannot match. */
export const readTextSearch = <Field extends string>(
  c: Context,
  fields: readonly Field[],
): TextSearch<Field> => throwIfRefused(textSearchIn(new URL(c.req.url).searchParams, fields))

function textSearchIn<Field extends string>(
  query: URLSearchParams,
  fields: readonly Field[],
): TextSearch<Field> | Refusal {
  const search = readSearch(query, fields)
  if (isRefusal(search)) return search

  const terms: TextSearchTerm<Field>[] = []
  for (const term of search.terms) {
    if (term.mode === 'exact') {
      terms.push(term)
      continue
    }
    const pattern = parseLikePattern(term.pattern)
    if (!isWithinPatternLimit(pattern)) return refuseSearch('a pattern must not exceed 50 bytes')
    terms.push({ fields: term.fields, mode: 'like', pattern })
  }
  return { ...search, terms }
}

export const refuseSearch = (reason: string) => refuse('request.invalid_input', { reason })

/**
 * Reports whether a boolean query parameter is true. Any value other than the accepted spellings of true is treated as
 * false.
 */
export const isTrueParameter = (value: string | null | undefined) =>
  /^(?:1|true|t|yes|y|on)$/i.test(value ?? '')

type Mode = 'like' | 'exact'

function readModes(query: URLSearchParams, fields: readonly string[]): Map<string, Mode> | Refusal {
  const modes = new Map<string, Mode>()
  for (const [key, mode] of query) {
    const name = keyName(key, 'mode')
    if (name === undefined) continue
    if (!fieldsOf(name, fields)) return refuseSearch(`there is no field "${name}"`)
    if (mode !== 'like' && mode !== 'exact') return refuseSearch(`mode "${mode}" is not supported`)
    modes.set(name, mode)
  }
  return modes
}

/**
 * Returns the field that a parameter name refers to: '' for `search`, 'name' for `search.name`, and undefined for other
 * parameters such as `searching`.
 */
function keyName(key: string, word: string): string | undefined {
  if (key === word) return ''
  return key.startsWith(`${word}.`) ? key.slice(word.length + 1) : undefined
}

/** Returns all fields if the name is empty, otherwise the named field, or null if there is no such field. */
function fieldsOf<Field extends string>(name: string, fields: readonly Field[]): readonly Field[] | null {
  if (name === '') return fields
  const field = fields.find((candidate) => candidate === name)
  return field ? [field] : null
}

/** The maximum length of the names of users and roles. */
const MAX_CHARACTERS = 128

function readTerm<Field extends string>(
  values: readonly string[],
  fields: readonly Field[],
  mode: Mode,
): SearchQueryTerm<Field> | Refusal {
  if (values.some((value) => value === '')) return refuseSearch('a search value is empty')
  if (values.some((value) => value.length > MAX_CHARACTERS || !isStorable(value))) {
    return refuseSearch('a search value is too long or cannot be stored')
  }
  if (mode === 'exact') return { fields, mode, values }

  const [pattern = '', ...extraValues] = values
  return extraValues.length > 0
    ? refuseSearch('only mode "exact" accepts several values')
    : { fields, mode, pattern }
}
