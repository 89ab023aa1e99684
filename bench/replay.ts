import { createHash } from 'node:crypto'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { insertUsersInto, userIdAt, usernameAt } from '../scripts/million-users.mjs'
import type { SentStatement } from './counted-database.ts'
import { createFixtures, type Fixtures } from './fixtures.ts'
import { passwordSignIn } from './journeys.ts'
import { type LocalServer, readMigrations } from './local-server.ts'
import type { BenchRow } from './row.ts'

const USERS = 1_000_000
/** The number of sign-ins after which the size of the database is measured. */
const SIGN_INS = 1_000
/** The number of sign-ins whose time is measured. */
const TIMED_SIGN_INS = 10_000
const HOUR = 60 * 60 * 1000

/** The goals of spec/budgets#database. */
const MAX_BYTES_LEFT = 1_200
/** A third of what the statements of a sign-in cost before their number was reduced, in inserted rows. */
const MAX_INSERTS = 48

type Batches = readonly (readonly SentStatement[])[]

/** The statements of one sign-in, and the values in them that identify its user. */
type Recording = { batches: Batches; username: string; userId: string }

/**
 * Measures the database alone. The statements of a sign-in are recorded and replayed with other users and ids on a
 * database with a million users, first to see how many bytes a sign-in leaves, then how many a second are possible. The
 * time is compared with that of inserting single rows, because it depends on the machine.
 */
export async function replayRows(
  server: LocalServer,
  { users = USERS, signIns = SIGN_INS, timedSignIns = TIMED_SIGN_INS } = {},
): Promise<BenchRow[]> {
  const fixtures = await createFixtures(server)
  const recording = await recordSignIn(server, fixtures)
  const database = openDatabase(path.join(server.folder, 'replay.sqlite'), fixtures, users)
  try {
    const replay = prepareReplay(database, recording, users)
    const before = usedBytes(database)
    for (let n = 0; n < signIns; n++) replay(n)
    deleteExpired(database)
    const bytesLeft = Math.round((usedBytes(database) - before) / signIns)
    const perSecond = rate(timedSignIns, (n) => replay(signIns + n))
    const inserts = Math.round(rate(timedSignIns, prepareInsert(database)) / perSecond)
    return [
      {
        what: `bytes that a sign-in leaves in the database after the sweep of the next hour, over ${signIns} sign-ins`,
        measured: `${bytesLeft}`,
        goal: `<= ${MAX_BYTES_LEFT}`,
        isMet: bytesLeft <= MAX_BYTES_LEFT,
      },
      {
        what: `sign-ins a second that the database alone serves on this machine, among ${users} users`,
        measured: `${Math.round(perSecond)}; one takes as long as inserting ${inserts} single rows`,
        goal: `<= ${MAX_INSERTS} rows`,
        isMet: inserts <= MAX_INSERTS,
      },
    ]
  } finally {
    database.close()
  }
}

/** The number of sign-ins before the one that is recorded, so that caches are warm. */
const WARM_UPS = 3

async function recordSignIn(server: LocalServer, fixtures: Fixtures): Promise<Recording> {
  for (let run = 0; run < WARM_UPS; run++) await passwordSignIn(fixtures, (_, call) => call())
  await fixtures.counts()
  await fetch(`${server.bare}/bench/statements`)
  await passwordSignIn(fixtures, (_, call) => call())
  await fixtures.counts()
  const batches = (await (await fetch(`${server.bare}/bench/statements`)).json()) as Batches
  return { batches, username: fixtures.username, userId: fixtures.userId }
}

function openDatabase(file: string, { clientId }: Fixtures, users: number): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = off')
  for (const migration of readMigrations()) database.exec(migration)
  database
    .prepare(`insert into applications (tenant_id, id, name, secret, type, oidc_client_metadata, created_at)
      values ('default', ?, 'Bench', '', 'SPA', '{}', 0)`)
    .run(clientId)
  insertUsersInto(database, 0, users)
  database.exec('update users set is_suspended = 0 where is_suspended = 1')
  return database
}

/** Matches random ids and digests, also inside JSON. */
const RANDOM_ID = /~?[\w-]{20,64}/g
/** The beginning of a time-ordered id, which has to stay as it is. */
const TIME_LENGTH = 9

/**
 * Returns a function that replays the recorded statements as the n-th sign-in: by another user, and with other ids. It
 * fails if a sign-in does not write as much as the first one, because then its statements had no effect.
 */
function prepareReplay(database: DatabaseSync, { batches, username, userId }: Recording, users: number) {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string) => {
    const prepared = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, prepared)
    return prepared
  }
  const changes = database.prepare('select total_changes() as count')
  const countChanges = () => Number(changes.get()?.count)
  const fixed = new Set(batches.flat().flatMap(({ sql }) => sql.match(RANDOM_ID) ?? []))
  let expected: number | undefined

  return (n: number) => {
    const user = (n * 7919) % users
    const replaced = new Map<string, string>()
    const replace = (text: string) =>
      text
        .replaceAll(username, usernameAt(user))
        .replaceAll(userId, userIdAt(user))
        .replace(RANDOM_ID, (id) => {
          if (fixed.has(id) || !/\d/.test(id) || !/[A-Za-z]/.test(id)) return id
          const other = replaced.get(id) ?? otherId(id, n)
          replaced.set(id, other)
          return other
        })
    const before = countChanges()
    for (const batch of batches) {
      database.exec('begin immediate')
      for (const { sql, values } of batch)
        prepare(sql).all(
          ...values.map((value) => (typeof value === 'string' ? replace(value) : (value as SQLInputValue))),
        )
      database.exec('commit')
    }
    const written = countChanges() - before
    expected ??= written
    if (written !== expected) throw new Error(`Sign-in ${n} changed ${written} rows instead of ${expected}`)
  }
}

/** Returns an id of the same length, for the n-th replay. The time in a time-ordered id stays. */
function otherId(id: string, n: number): string {
  const start = id.startsWith('~') ? id.slice(0, TIME_LENGTH) : ''
  const digest = createHash('sha512').update(`${id} ${n}`).digest('base64url')
  return start + digest.slice(0, id.length - start.length)
}

/** Deletes what the scheduled maintenance has deleted an hour after the sign-ins. */
function deleteExpired(database: DatabaseSync): void {
  const now = Date.now() + HOUR
  for (const table of ['oidc_model_instances', 'counters'])
    database.prepare(`delete from ${table} where expires_at <= ?`).run(now)
}

function usedBytes(database: DatabaseSync): number {
  const pragma = (name: string) => Number(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}

function prepareInsert(database: DatabaseSync): (n: number) => void {
  database.exec('create table single_rows (id text primary key, payload text)')
  const insert = database.prepare('insert into single_rows values (?, ?)')
  const payload = 'x'.repeat(400)
  return (n) => void insert.run(createHash('sha256').update(String(n)).digest('base64url'), payload)
}

/** Returns how many times a second the work can be done. */
function rate(times: number, work: (n: number) => void): number {
  const start = performance.now()
  for (let n = 0; n < times; n++) work(n)
  return (times * 1000) / (performance.now() - start)
}
