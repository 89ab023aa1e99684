import { type Refusal, refuse } from '../../contract/errors.ts'
import { isRefusal } from '../../contract/refused.ts'
import { isStorable } from '../../contract/text.schema.ts'
import { planLike } from '../../domain/like-pattern.ts'
import {
  type UserSearch,
  type UserSearchField,
  type UserSearchTerm,
  userSearchFields,
} from '../../storage/user-search.ts'

/** A search as its query keys say it (contract 8.1), or the refusal of what no index can answer (decision 36). */
export function readUserSearch(query: URLSearchParams): UserSearch | Refusal {
  const joint = query.get('joint') ?? query.get('jointMode') ?? 'or'
  if (joint !== 'or' && joint !== 'and') return invalid('joint is neither "or" nor "and"')

  const modes = readModes(query)
  if (isRefusal(modes)) return modes

  const terms: UserSearchTerm[] = []
  for (const key of new Set(query.keys())) {
    const name = keyName(key, 'search')
    if (name === undefined) continue
    const fields = fieldsOf(name)
    if (!fields) return invalid(`there is no field "${name}"`)
    const term = readTerm(query.getAll(key), fields, modes.get(name) ?? modes.get('') ?? 'like')
    if (isRefusal(term)) return term
    terms.push(term)
  }
  return { joint, terms, isCaseSensitive: YES.test(query.get('isCaseSensitive') ?? '') }
}

const YES = /^(?:1|true|t|yes|y|on)$/i

type Mode = 'like' | 'exact'

function readModes(query: URLSearchParams): Map<string, Mode> | Refusal {
  const modes = new Map<string, Mode>()
  for (const [key, mode] of query) {
    const name = keyName(key, 'mode')
    if (name === undefined) continue
    if (!fieldsOf(name)) return invalid(`there is no field "${name}"`)
    if (mode !== 'like' && mode !== 'exact') return invalid(`mode "${mode}" is not supported`)
    modes.set(name, mode)
  }
  return modes
}

/** `search` names '', `search.name` names 'name', `searching` names nothing. */
function keyName(key: string, word: string): string | undefined {
  if (key === word) return ''
  return key.startsWith(`${word}.`) ? key.slice(word.length + 1) : undefined
}

/** Without a name, all; an unknown one, none. */
function fieldsOf(name: string): readonly UserSearchField[] | null {
  if (name === '') return userSearchFields
  const field = userSearchFields.find((known) => known === name)
  return field ? [field] : null
}

/** As long as the longest value that can be found. */
const MOST_CHARACTERS = 128

function readTerm(
  values: readonly string[],
  fields: readonly UserSearchField[],
  mode: Mode,
): UserSearchTerm | Refusal {
  if (values.some((value) => value === '')) return invalid('a search value is empty')
  if (values.some((value) => value.length > MOST_CHARACTERS || !isStorable(value))) {
    return invalid('a search value is too long or cannot be stored')
  }
  if (mode === 'exact') return { fields, mode, values }

  const [pattern = '', ...others] = values
  if (others.length > 0) return invalid('only mode "exact" takes several values')
  const plan = planLike(pattern)
  if (!plan) {
    return invalid(
      'a pattern that begins with a wildcard needs three other characters in a row, and fifty bytes are the most',
    )
  }
  return { fields, ...plan }
}

const invalid = (reason: string) => refuse('request.invalid_input', { reason })
