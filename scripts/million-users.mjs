import { globSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const CHUNK = 20_000
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** One in this many users is suspended. */
const SUSPENDED_EVERY = 100
export const ROLE_NAME = 'everyone'

const firstNames = [
  ...['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Ken', 'Dennis', 'Margaret', 'Linus', 'Bjarne'],
  ...['Guido', 'Yukihiro', 'Katherine', 'Radia', 'Tim', 'Vint', 'Leslie', 'John', 'Frances'],
]
const lastNames = [
  ...['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Thompson', 'Ritchie', 'Hamilton'],
  ...[
    'Torvalds',
    'Stroustrup',
    'van Rossum',
    'Matsumoto',
    'Johnson',
    'Perlman',
    'Berners',
    'Cerf',
    'Lamport',
  ],
  ...['McCarthy', 'Allen'],
]
const hosts = ['gmail', 'outlook', 'web', 'icloud', 'proton']

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Returns the id of a user. Its first two characters are distributed like random ones. */
export const userIdAt = (/** @type {number} */ n) =>
  `${LETTERS[(n * 37) % 62]}${LETTERS[Math.floor(n / 62) % 62]}${String(n).padStart(10, '0')}`
export const usernameAt = (/** @type {number} */ n) =>
  `${firstNames[n % firstNames.length]?.toLowerCase()}${n}`

/**
 * Inserts the users that are not imported into a local database.
 *
 * @param {string} folder the folder of the local database
 * @param {number} from
 * @param {number} to
 */
export function insertUsers(folder, from, to) {
  const [file] = globSync(path.join(folder, 'state/v3/d1/**/*.sqlite')).filter(
    (name) => path.basename(name) !== 'metadata.sqlite',
  )
  if (!file) throw new Error("The server didn't create a database")
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = off')
  insertUsersInto(database, from, to)
  database.close()
}

/**
 * Inserts users, oldest first. As in reality, many of them share a name. All have one role.
 *
 * @param {DatabaseSync} database
 * @param {number} from
 * @param {number} to
 */
export function insertUsersInto(database, from, to) {
  const pick = (/** @type {readonly string[]} */ list, /** @type {string} */ by) =>
    `json_extract('${JSON.stringify(list)}', '$[' || (${by} % ${list.length}) || ']')`
  const letter = (/** @type {string} */ by) => `substr('${LETTERS}', 1 + ${by} % 62, 1)`
  const insert = database.prepare(
    `insert into users (tenant_id, id, username, primary_email, primary_phone, name, identities, is_suspended, created_at)
     with recursive numbers(n) as (select cast(? as integer) union all select n + 1 from numbers where n + 1 < ?),
       people as (select n, ${pick(firstNames, 'n')} as first, ${pick(lastNames, 'n / 20')} as last from numbers)
     select 'default', ${letter('n * 37')} || ${letter('n / 62')} || printf('%010d', n), lower(first) || n,
       first || '.' || n || '@' || ${pick(hosts, 'n / 3')} || '.example', printf('49151%08d', n), first || ' ' || last,
       json_object('google', json_object('userId', printf('g%d', n))), n % ${SUSPENDED_EVERY} = 7,
       cast(? as integer) + n * ${MINUTE}
     from people`,
  )
  const oldest = Date.now() - DAY - to * MINUTE
  for (let n = from; n < to; n += CHUNK) insert.run(n, Math.min(n + CHUNK, to), oldest)
  database.exec(`
    insert into roles (tenant_id, id, name, description) values ('default', '${ROLE_NAME}', '${ROLE_NAME}', '');
    insert into users_roles (tenant_id, id, user_id, role_id)
    select tenant_id, 'link' || search_id, id, '${ROLE_NAME}' from users where tenant_id = 'default'`)
}
