/** The list of users in the console, and the calls that it makes: `npm run million` times the same ones. */

/** The API finds no fewer characters inside a text (spec/management#search). */
const MIN_INSIDE = 3

/** What a user types, as the value of `search`: three characters are found anywhere, fewer at the beginning. */
export function searchPattern(typed: string): string {
  const text = typed.trim()
  if (text === '') return ''
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return [...text].length < MIN_INSIDE ? `${literal}%` : `%${literal}%`
}

const states = ['active', 'suspended'] as const
type UserState = (typeof states)[number]

/** What the list is asked for: users who match, or those of one role, of one state or both. A part of the address. */
export type UserFilter = { search: string; role: string; state: UserState | '' }

export const filterOf = (query: URLSearchParams): UserFilter => ({
  search: query.get('search') ?? '',
  role: query.get('role') ?? '',
  state: states.find((state) => state === query.get('state')) ?? '',
})

/** The call that lists them (spec/management#users). A role has no search. */
export function listCall({ search, role, state }: UserFilter) {
  const isSuspended = state === '' ? '' : String(state === 'suspended')
  return role
    ? { path: `/roles/${encodeURIComponent(role)}/users`, query: { isSuspended } }
    : { path: '/users', query: { search: searchPattern(search), isSuspended } }
}
