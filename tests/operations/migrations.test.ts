import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepOfProcess } from '../kit/sweep.ts'

/**
 * Migrates a database with many rows (spec/storage#migrations). D1 stops a statement after 30 seconds and blocks other
 * writes until then, so a migration must not touch every row of a table that grows with the users. The exhaustive run
 * measures a million rows; fewer are enough to see which rows a statement changes.
 */
const { isExhaustive } = sweepOfProcess()
const ROWS = isExhaustive ? 1_000_000 : 2_000
/** The number of rows in the other tables that grow with the users. */
const FEWER_ROWS = isExhaustive ? 100_000 : ROWS
/** The number of rows that one statement of a migration may change. */
const PORTION = 1_000
/** A statement may take as long as reading the longest table this many times. */
const MAX_READS = 10

/** The migrations that may change more rows than `PORTION`, with the reason. */
const largeChanges: Record<string, string> = {
  '0058_refresh_token_max_ttl':
    'It gives each existing application its own limit, in one statement. Applications are far fewer than users.',
}

/** The migrations of the round before version 0.1.0, and every later one. */
const FIRST_MEASURED = 53
const statementsOf = (tag: string) =>
  readFileSync(`migrations/${tag}.sql`, 'utf8').split('--> statement-breakpoint')
const tags = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.replace('.sql', ''))
  .sort()

/** The migrations of the first deployment: tables, triggers, and the tenant `default`. */
const FIRST = 3
/** The versions in the changelog, newest first. */
const versions = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## ([\d.]+) - /gm)].map(
  ([, version = '']) => version,
)

/**
 * Maps each migration that removes something from the schema to the last version whose Worker used it. That version may
 * be neither the current nor the previous one, so that both work with the schema (spec/storage#migrations).
 */
const contractions: Record<string, string> = {}
const REMOVAL = 'drops a table or column in use'

const withoutComments = (query: string) => query.replaceAll(/--.*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '')

/**
 * Returns why the previous Worker, which still runs during a deployment and again after a rollback, would fail or lose
 * data.
 */
function problemOf(
  query: string,
  existingTables: ReadonlySet<string>,
  existingKeys: ReadonlySet<string> = new Set(),
): string | null {
  const text = withoutComments(query)
  if (/\b__new_\w+/i.test(text)) return 'rebuilds a table in place'
  if (/\bdrop\s+(?:table|column|view)\b/i.test(text)) return REMOVAL
  if (/\balter\s+table\b[\s\S]*\brename\b/i.test(text)) return 'renames a table or column in use'
  if (
    /\badd\b[\s\S]*\bnot\s+null\b/i.test(text) &&
    /\balter\s+table\b/i.test(text) &&
    !/\bdefault\b/i.test(text)
  )
    return 'adds a column that the previous Worker does not fill'
  const unique = /\bcreate\s+unique\s+index\b[\s\S]*?\bon\s+[`"]?(\w+)/i.exec(text)?.[1]
  const isNarrower = uniqueKeysIn(text).some((key) => existingKeys.has(key))
  return unique && existingTables.has(unique) && !isNarrower ? 'forbids rows that may exist' : null
}

/** Returns the tables and columns of unique indexes. A further index of the same columns forbids no row that may exist. */
const uniqueKeysIn = (text: string) =>
  [...text.matchAll(/\bcreate\s+unique\s+index\s+\S+\s+on\s+[`"]?(\w+)[`"]?\s*(\([\w`",\s]+\))/gi)].map(
    ([, table, columns = '']) => `${table} ${columns.replaceAll(/[`"\s]/g, '')}`,
  )

const tablesIn = (selected: readonly string[]) =>
  new Set(
    selected
      .flatMap(statementsOf)
      .flatMap(
        (query) => /create\s+(?:virtual\s+)?table\s+[`"]?(\w+)/i.exec(withoutComments(query))?.[1] ?? [],
      ),
  )

/** Reports whether a version is older than the current one and the one before. Patches count as the same version. */
function isTwoVersionsOld(version: string, newestFirst: readonly string[]): boolean {
  const withoutPatch = (text: string) => text.split('.').slice(0, 2).join('.')
  return [...new Set(newestFirst.map(withoutPatch))].indexOf(withoutPatch(version)) > 1
}

/** Returns the problems of one statement, unless the statement removes what no version in use needs. */
const unexpectedProblem = (
  query: string,
  existingTables: ReadonlySet<string>,
  mayRemove: boolean,
  existingKeys?: ReadonlySet<string>,
) => {
  const problem = problemOf(query, existingTables, existingKeys)
  return problem === REMOVAL && mayRemove ? null : problem
}

describe('a migration', () => {
  it('only adds to the schema, or removes what no version in use needs', () => {
    expect(tags.length).toBeGreaterThan(FIRST)
    const problems = tags.slice(FIRST).flatMap((tag, index) => {
      const existingTables = tablesIn(tags.slice(0, FIRST + index))
      const existingKeys = new Set(
        tags
          .slice(0, FIRST + index)
          .flatMap(statementsOf)
          .flatMap(uniqueKeysIn),
      )
      const mayRemove = tag in contractions && isTwoVersionsOld(contractions[tag] ?? '', versions)
      return statementsOf(tag).flatMap((query) => {
        const problem = unexpectedProblem(query, existingTables, mayRemove, existingKeys)
        return problem ? [`${tag} ${problem}: ${query}`] : []
      })
    })
    expect(problems).toEqual([])
  })

  it('may remove what was last used two versions ago', () => {
    const newestFirst = ['0.4.1', '0.4.0', '0.3.2', '0.3.1', '0.2.0', '0.1.0']
    const old = newestFirst.filter((version) => isTwoVersionsOld(version, newestFirst))
    expect(old).toEqual(['0.2.0', '0.1.0'])
    expect(unexpectedProblem('DROP TABLE users', new Set(), true)).toBeNull()
    expect(unexpectedProblem('DROP TABLE users', new Set(), false)).toBe(REMOVAL)
    expect(unexpectedProblem('ALTER TABLE a RENAME TO b', new Set(), true)).toMatch(/^renames/)
    expect(isTwoVersionsOld('', newestFirst)).toBe(false)
  })

  it('may replace a unique index by a narrower one of the same columns', () => {
    const keys = new Set(uniqueKeysIn('CREATE UNIQUE INDEX `a` ON `users` (`tenant_id`,`name`)'))
    const narrower = 'CREATE UNIQUE INDEX `b` ON `users` (`tenant_id`,`name`) WHERE name is not null'
    expect(problemOf(narrower, new Set(['users']), keys)).toBeNull()
    expect(problemOf(narrower.replace('tenant_id`,`', ''), new Set(['users']), keys)).toMatch(/^forbids/)
    expect(problemOf(narrower.replace('ON `users`', 'ON `logs`'), new Set(['logs']), keys)).toMatch(
      /^forbids/,
    )
  })

  it.each([
    ['DROP TABLE users', 'drops a table or column in use'],
    ['alter table `users` drop column `name`', 'drops a table or column in use'],
    ['CREATE TABLE `__new_users` (`id` text)', 'rebuilds a table in place'],
    ['ALTER TABLE `__new_users` RENAME TO `users`', 'rebuilds a table in place'],
    ['ALTER TABLE `users` RENAME TO `people`', 'renames a table or column in use'],
    ['ALTER TABLE users RENAME COLUMN name TO title', 'renames a table or column in use'],
    [
      'ALTER TABLE `users` ADD `age` integer NOT NULL',
      'adds a column that the previous Worker does not fill',
    ],
    ['CREATE UNIQUE INDEX `u` ON `users` (`name`)', 'forbids rows that may exist'],
    ['-- drop table users\nALTER TABLE `users` ADD `age` integer DEFAULT 0 NOT NULL', null],
    ['CREATE UNIQUE INDEX `u` ON `new_table` (`name`)', null],
    ['DROP INDEX `users_newest`', null],
  ])('is checked for changes that would break the previous Worker: %s', (query, problem) => {
    expect(problemOf(query, new Set(['users']))).toBe(problem)
  })
})

const db = new DatabaseSync(':memory:')
const changes = () => Number(db.prepare('select total_changes() as n').get()?.n)

beforeAll(() => {
  for (const tag of tags.slice(0, FIRST_MEASURED))
    for (const statement of statementsOf(tag)) db.exec(statement)
  // The tables that grow fastest. Triggers fill the tables that belong to them, such as the search.
  const numbersTo = (rows: number) =>
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})`
  const [numbers, fewer] = [numbersTo(ROWS), numbersTo(FEWER_ROWS)]
  db.exec(`begin;
    insert into users (tenant_id, id, username, primary_email, password_encrypted, password_encryption_method, created_at)
      ${numbers} select 'default', 'u' || n, 'user' || n, 'user' || n || '@example.com', '$argon2id$' || n, 'Argon2id', n from numbers;
    insert into logs (tenant_id, id, key, payload, created_at)
      ${numbers} select 'default', 'l' || n, 'Interaction.SignIn.Submit', json_object('key', 'Interaction.SignIn.Submit', 'result', 'Success', 'userId', 'u' || n), n from numbers;
    insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at)
      ${numbers} select 'default', 'Grant', 'g' || n, json_object('accountId', 'u' || n, 'clientId', 'shop', 'iat', 1), n from numbers;
    insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at)
      ${fewer} select 'default', 'Session', 's' || n, json_object('accountId', 'u' || n, 'uid', 'uid' || n), n from numbers;
    insert into applications (tenant_id, id, name, secret, type, oidc_client_metadata, created_at)
      ${fewer} select 'default', 'a' || n, 'Application', '', 'SPA', '{}', n from numbers;
    insert into roles (tenant_id, id, name, description) values ('default', 'member', 'Member', '');
    insert into users_roles (tenant_id, id, user_id, role_id)
      ${fewer} select 'default', 'r' || n, 'u' || n, 'member' from numbers;
    insert into consents (tenant_id, user_id, application_id, resource, scope, created_at)
      ${fewer} select 'default', 'u' || n, 'a1', '', 'openid', n from numbers;
    insert into totp_factors (tenant_id, user_id, secret, created_at)
      ${fewer} select 'default', 'u' || n, '2sealed', n from numbers;
    insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid, rp_id, is_backup_eligible, is_backed_up, created_at)
      ${fewer} select 'default', 'c' || n, 'u' || n, 'key', 0, '[]', '', 'id.example.com', 0, 0, n from numbers;
    insert into outbox (tenant_id, id, application_id, event, payload, next_attempt_at, created_at)
      ${fewer} select 'default', 'o' || n, 'a1', 'logout', '{}', n, n from numbers;
    commit`)
}, 600_000)

/** Returns how many milliseconds it takes to read every row of the log once. */
function timeOfReading(): number {
  const startedAt = performance.now()
  db.prepare('select sum(length(payload)) from logs').get()
  return performance.now() - startedAt
}

describe(`with ${ROWS} users, log entries and grants, and ${FEWER_ROWS} rows in other tables`, () => {
  it.each(tags.slice(FIRST_MEASURED))(
    'the migration %s changes few rows, and takes less time than reading the log ten times',
    { timeout: 600_000 },
    (tag) => {
      const reading = timeOfReading()
      for (const statement of statementsOf(tag)) {
        const [before, startedAt] = [changes(), performance.now()]
        db.exec(statement)
        const changedRows = changes() - before
        if (tag in largeChanges) expect(changedRows, 'This exception is needed').toBeGreaterThan(PORTION)
        else expect(changedRows, statement).toBeLessThanOrEqual(PORTION)
        const reads = (performance.now() - startedAt) / reading
        if (!isExhaustive || reads < 0.1) continue
        console.log(`${tag}: ${reads.toFixed(1)} times as long as reading ${ROWS} log entries`)
        expect(reads, statement).toBeLessThan(MAX_READS)
      }
    },
  )

  it('a change of every user exceeds the limit', { timeout: 600_000 }, () => {
    const before = changes()
    db.exec("update users set name = 'x'")
    expect(changes() - before).toBeGreaterThan(PORTION)
  })
})
