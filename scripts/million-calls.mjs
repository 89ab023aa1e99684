import { performance } from 'node:perf_hooks'
import { listCall, parseUserFilter } from '../src/domain/users/user-list.ts'
import { ROLE_NAME, userIdAt, usernameAt } from './million-users.mjs'

/** The number of requests per query, enough to compute a 95th percentile. */
const REPEATS = 60
/** The number of rows per page in the console. */
const PAGE_SIZE = 20
const GOAL = 200 // ms, for the 95th percentile of calls that list users

/**
 * Returns the queries that the console's user list sends, one row of the result table per state of its search fields.
 * The requests of a row cycle through its queries.
 *
 * @param {number} users
 */
const listQueries = (users) => ({
  'first page': [{}],
  'page 50': [{ page: 50 }],
  'page 5,000': [{ page: 5_000 }],
  'last page': [{ page: Math.ceil(users / PAGE_SIZE) }],
  'one character': searches('a', 'k', '4', 'x', 'z'),
  'two characters': searches('ad', 'jo', '49', 'zz', 'b1'),
  'three characters, at the beginning': searches('ada', 'gra', 'kat', '491'),
  'three characters, in the middle': searches('ove', 'opp', 'uri', 'mai'),
  'more characters, at the beginning': searches('Ada Lov', 'Grace Ho', 'ada7777', '4915100777'),
  'more characters, in the middle': searches('ovelace', 'ppe', '.7777@', '0077777'),
  'a text that all users have': searches('example'),
  'a text that no user has': searches('haystack'),
  suspended: [{ state: 'suspended' }],
  active: [{ state: 'active' }],
  'suspended, one character': searches('a', 'k', '4').map((query) => ({ ...query, state: 'suspended' })),
  'suspended, three characters': searches('ove', 'opp', 'mai').map((query) => ({
    ...query,
    state: 'suspended',
  })),
  'active, one character': searches('a', 'k', '4').map((query) => ({ ...query, state: 'active' })),
  'users of a role': [{ role: ROLE_NAME }],
  'users of a role, page 5,000': [{ role: ROLE_NAME, page: 5_000 }],
  'sorted by name, username and email address': [
    { sort: 'name' },
    { sort: 'username' },
    { sort: 'primaryEmail' },
  ],
  'an authenticator app, which no user has': [{ factor: 'totp' }],
  'a factor, which no user has': [{ factor: 'any' }],
  'a provider that few users have': [{ provider: 'github' }],
  'never signed in': [{ lastSignIn: 'never' }],
  'a role that all users have, by name': [{ role: ROLE_NAME, sort: 'name' }],
  'suspended, by name': [{ state: 'suspended', sort: 'name' }],
  'a text that all users have, never signed in': [{ search: 'example', lastSignIn: 'never' }],
  'suspended users of a role': [{ role: ROLE_NAME, state: 'suspended' }],
})

const searches = (/** @type {string[]} */ ...texts) => texts.map((search) => ({ search }))

/** Returns the paths of all other calls. @param {number} users */
const otherCalls = (users) => ({
  'one user by id': `/users/${userIdAt(users - 7)}`,
  'search: exact': `/users?search.username=${usernameAt(users - 7)}&mode.username=exact`,
  'users without a role that all have': `/users?page_size=20&excludeRoleId=${ROLE_NAME}`,
  roles: '/roles',
  'export, first page': '/users/export?limit=200',
  'export, last page': '/users/export?limit=200&after=zy',
  'dashboard: total': '/dashboard/users/total',
  'dashboard: new': '/dashboard/users/new',
})

/**
 * @param {(path: string) => Promise<Response>} call calls the management API
 * @param {number} users
 * @returns {Promise<[what: string, how: string][]>}
 */
export async function measureCalls(call, users) {
  /** @type {[string, string][]} */
  const rows = []
  for (const [what, queries] of Object.entries(listQueries(users))) {
    const { p95, how } = await measurePaths(call, queries.map(pathOf))
    rows.push([`list of users: ${what}`, `${how}, ${p95 <= GOAL ? 'met' : 'missed'}`])
  }
  for (const [what, path] of Object.entries(otherCalls(users))) {
    rows.push([what, (await measurePaths(call, [path])).how])
  }
  return rows
}

/**
 * Returns the path of a query in the form that the console requests (spec/console#users).
 *
 * @param {Record<string, string | number>} fields
 */
function pathOf({ page = 1, ...fields }) {
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)])
  const { path, query } = listCall(parseUserFilter(new URLSearchParams(texts)), Date.now())
  const filled = Object.entries(query).filter(([, value]) => value !== '')
  return `${path}?${new URLSearchParams([...filled, ['page', String(page)], ['page_size', String(PAGE_SIZE)]])}`
}

/** @param {(path: string) => Promise<Response>} call @param {readonly string[]} paths the requests cycle through them */
async function measurePaths(call, paths) {
  /** @type {number[]} */
  const times = []
  let result = ''
  for (let n = 0; n < REPEATS; n++) {
    const startedAt = performance.now()
    const response = await call(paths[n % paths.length] ?? '')
    await response.arrayBuffer()
    times.push(performance.now() - startedAt)
    if (!response.ok) throw new Error(`${paths[n % paths.length]} responded with ${response.status}`)
    const total = response.headers.get('total-number')
    const isCapped = response.headers.has('total-capped')
    result = total === null ? `${response.status}` : `total ${isCapped ? 'more than ' : ''}${total}`
  }
  times.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => times[Math.ceil(share * times.length) - 1] ?? 0
  const [p50, p95] = [at(0.5), at(0.95)]
  return { p95, how: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (${result})` }
}
