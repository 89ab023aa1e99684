import { DAY } from '../../contract/time.ts'

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
const factors = ['any', 'none', 'passkey', 'totp'] as const
const verifications = ['email', 'noEmail', 'phone', 'noPhone'] as const
const periods = ['within7', 'within30', 'before30', 'before90', 'before365', 'never'] as const
const sorts = ['oldest', 'name', 'username', 'primaryEmail'] as const

/** The values of the filters that the console offers, by their name in the URL. */
export const userFilterOptions = {
  state: states,
  factor: factors,
  verified: verifications,
  lastSignIn: periods,
  sort: sorts,
}

type Options = typeof userFilterOptions

/** The filter and the order of the list, which are part of the URL. An empty text stands for no filter. */
export type UserFilter = { search: string; role: string; provider: string } & {
  [Name in keyof Options]: Options[Name][number] | ''
}

export const parseUserFilter = (query: URLSearchParams): UserFilter => {
  const choose = <T extends string>(name: string, options: readonly T[]): T | '' =>
    options.find((option) => option === query.get(name)) ?? ''
  return {
    search: query.get('search') ?? '',
    role: query.get('role') ?? '',
    provider: query.get('provider') ?? '',
    state: choose('state', states),
    factor: choose('factor', factors),
    verified: choose('verified', verifications),
    lastSignIn: choose('lastSignIn', periods),
    sort: choose('sort', sorts),
  }
}

/**
 * Returns the API call that lists the users (spec/management#users). The list of a role has no other filters, but
 * contains all its users, however many there are.
 */
export function listCall(filter: UserFilter, now: number): { path: string; query: Record<string, string> } {
  const { role, state, search } = filter
  const isSuspended = state === '' ? '' : String(state === 'suspended')
  const further = { ...filterQuery(filter, now), ...orderQuery(filter) }
  if (role && !search.trim() && Object.keys(further).length === 0)
    return { path: `/roles/${encodeURIComponent(role)}/users`, query: { isSuspended } }
  const roleId: Record<string, string> = role ? { roleId: role } : {}
  return { path: '/users', query: { search: toSearchPattern(search), isSuspended, ...roleId, ...further } }
}

function filterQuery(
  { provider, factor, verified, lastSignIn }: UserFilter,
  now: number,
): Record<string, string> {
  const isVerified = String(!verified.startsWith('no'))
  return {
    ...(provider && { provider }),
    ...(factor && { hasFactor: factor }),
    ...(verified && { [/email$/i.test(verified) ? 'emailVerified' : 'phoneVerified']: isVerified }),
    ...(lastSignIn && lastSignInQuery(lastSignIn, now)),
  }
}

/** The limits are rounded to a day, so that the console can keep the list while the page is open. */
function lastSignInQuery(period: (typeof periods)[number], now: number): Record<string, string> {
  if (period === 'never') return { lastSignInBefore: '1' }
  const days = Number(/\d+/.exec(period)?.[0])
  const limit = String((Math.floor(now / DAY) - days) * DAY)
  return period.startsWith('within') ? { lastSignInAfter: limit } : { lastSignInBefore: limit }
}

function orderQuery({ search, sort }: UserFilter): Record<string, string> {
  if (sort === 'oldest') return { sort: 'createdAt', order: 'asc' }
  if (sort) return { sort }
  return search.trim() ? { sort: 'relevance' } : {}
}
