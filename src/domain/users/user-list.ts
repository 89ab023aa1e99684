/** The list of users in the console, and the API calls that it makes. `npm run million` times the same calls. */

/**
 * The minimum length of a search text that the API finds anywhere in a field. Shorter strings are found only at the
 * beginning (spec/management#search).
 */
const MIN_FRAGMENT_LENGTH = 3

/**
 * Returns the value of the parameter `search` for the user's input. An input of three or more characters matches
 * anywhere, a shorter one only at the beginning.
 */
export function toSearchPattern(input: string): string {
  const text = input.trim()
  if (text === '') return ''
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return [...text].length < MIN_FRAGMENT_LENGTH ? `${literal}%` : `%${literal}%`
}

const states = ['active', 'suspended'] as const
type UserState = (typeof states)[number]

/**
 * The filter of the list, which is part of the URL. It selects the users who match a search, or those with a role, a
 * state or both.
 */
export type UserFilter = { search: string; role: string; state: UserState | '' }

export const parseUserFilter = (query: URLSearchParams): UserFilter => ({
  search: query.get('search') ?? '',
  role: query.get('role') ?? '',
  state: states.find((state) => state === query.get('state')) ?? '',
})

/** Returns the API call that lists the users (spec/management#users). The API cannot combine a role with a search. */
export function listCall({ search, role, state }: UserFilter) {
  const isSuspended = state === '' ? '' : String(state === 'suspended')
  return role
    ? { path: `/roles/${encodeURIComponent(role)}/users`, query: { isSuspended } }
    : { path: '/users', query: { search: toSearchPattern(search), isSuspended } }
}
