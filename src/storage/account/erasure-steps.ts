import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { DEFAULT_TENANT } from '../../contract/product.ts'
import { getRateLimit, rateLimitNames } from '../../contract/rate-limits.ts'
import { type ErasedNames, eraseNames, uniqueNames } from '../../domain/account/erasure.ts'
import { runInOneBatch } from '../batches.ts'
import type { Database } from '../database.ts'
import { belongsToAccount } from '../interactions/oidc-models.ts'
import { eraseOrganizationTraces } from '../organisations/member-traces.ts'
import {
  counters,
  devMessages,
  invitations,
  logs,
  oidcModelInstances as models,
  outbox,
  passcodes,
  tenantOwners,
} from '../tables.ts'
import type { Erasure } from './erasures.ts'
import { isNewAddressCode } from './new-address-codes.ts'

/** The steps of an erasure. Each step fits into one batch (spec/storage#erasure). */

const ROWS = 1_000

const isOne = { done: sql`1`.as('done') }
const listOf = (values: readonly string[]) => sql`(select value from json_each(${JSON.stringify(values)}))`
const lowerCaseListOf = (values: readonly string[]) =>
  sql`(select lower(value) from json_each(${JSON.stringify(values)}))`

/** Erases rows that can be found using an index. Returns true once none are left. */
export async function eraseIndexedRows(
  db: Database,
  { tenantId, names, createdAt }: Erasure,
): Promise<boolean> {
  const { id, asked: requested = [], verified = [] } = names
  const own = uniqueNames(names)
  const portionOf = (from: SQL, condition: SQL | undefined) =>
    sql`rowid in (select ${from}.rowid from ${from} where ${condition} limit ${ROWS})`
  const owned = { type: 'user' as const }
  // If an address never belonged to the account, only its codes for an address change are deleted. Its other codes
  // belong to another person.
  const codesTo = (address: SQL) =>
    sql`${passcodes.tenantId} = ${tenantId} and ${address} in ${lowerCaseListOf([...own, ...requested])}
      and (${address} in ${lowerCaseListOf(own)} or ${isNewAddressCode})`
  const done = await runInOneBatch(db, {
    // Codes and tokens are deleted by the sweep, because their grants are gone.
    models: db
      .delete(models)
      .where(portionOf(sql`${models}`, belongsToAccount(tenantId, id)))
      .returning(isOne),
    codesByEmail: db
      .delete(passcodes)
      .where(codesTo(sql`lower(${passcodes.email})`))
      .returning(isOne),
    codesByPhone: db
      .delete(passcodes)
      .where(codesTo(sql`${passcodes.phone}`))
      .returning(isOne),
    messages: db
      .delete(devMessages)
      .where(
        sql`${devMessages.tenantId} = ${tenantId} and lower(${devMessages.to}) in ${lowerCaseListOf([...own, ...requested])}`,
      )
      .returning(isOne),
    // Invitations that the user sent are no longer valid. Those to an address that the user never verified may be for
    // somebody else.
    invitations: db
      .delete(invitations)
      .where(
        sql`${invitations.tenantId} = ${tenantId} and (${invitations.acceptedBy} = ${id}
          or (${invitations.inviterType} = 'user' and ${invitations.inviterId} = ${id})
          or (${invitations.createdAt} <= ${createdAt} and lower(${invitations.email}) in ${lowerCaseListOf(verified)}))`,
      )
      .returning(isOne),
    ...eraseOrganizationTraces(db, { tenantId, userId: id, verified: lowerCaseListOf(verified), createdAt }),
    counters: db
      .delete(counters)
      .where(
        sql`rowid in (select ${counters}.rowid from json_each(${JSON.stringify(counterKeys(names))}) as begins
          cross join ${counters} on ${counters.tenantId} = ${tenantId} and (${counters.key} = begins.value
            or (${counters.key} >= begins.value || '/' and ${counters.key} < begins.value || '0')))`,
      )
      .returning(isOne),
    owners:
      tenantId === DEFAULT_TENANT
        ? db
            .delete(tenantOwners)
            .where(and(eq(tenantOwners.ownerType, owned.type), eq(tenantOwners.ownerId, id)))
            .returning(isOne)
        : undefined,
    logs: db
      .update(logs)
      .set({ payload: anonymous(id) })
      .where(portionOf(sql`${logs}`, and(eq(logs.tenantId, tenantId), eq(logs.userId, id))))
      .returning(isOne),
  })
  return [done.models, done.logs].every((rows) => rows.length < ROWS)
}

/**
 * Returns the beginnings of the user's counter keys; a full key may also contain a network and a browser. Counters of
 * an address that never belonged to the account are not deleted but expire within a day; deleting them would allow more
 * guesses at another person's code.
 */
const counterKeys = ({ id, ...names }: ErasedNames): string[] =>
  rateLimitNames.flatMap((name) => {
    const { key } = getRateLimit(name)
    return [
      `${key}/account/${id}`,
      ...['username', 'email', 'phone'].flatMap((kind) =>
        uniqueNames(names).flatMap((value) => [
          `${key}/${kind}/${value}`,
          `${key}/${kind}/${value.toLowerCase()}`,
        ]),
      ),
    ]
  })

/**
 * Reduces an audit row about the user, and each of its steps, to the event, the application and, if somebody else acted,
 * that actor. All other fields are removed.
 */
const anonymous = (id: string) => {
  const actor = sql`'actor', case when json_extract(payload, '$.actor.id') is not ${id} then json_extract(payload, '$.actor') end`
  const row = sql`${factsOf('payload')}, ${fieldsOf('payload', 'keys')}, ${actor}`
  const steps = sql`'steps', case when json_extract(payload, '$.steps') is not null then json((
    select json_group_array(json_patch('{}', json_object(${factsOf('step.value')}, ${fieldsOf('step.value', 'createdAt')})))
    from json_each(payload, '$.steps') as step)) end`
  return sql`json_patch('{"isErased":true}', json_object(${row}, ${steps}))`
}

const fieldsOf = (json: string, ...names: readonly string[]): SQL =>
  sql.raw(names.map((name) => `'${name}', json_extract(${json}, '$.${name}')`).join(', '))

const factsOf = (
  json: string,
): SQL => sql`${fieldsOf(json, 'key', 'result', 'applicationId', 'count', 'tokenTypes', 'changed')},
  'error', case when json_extract(${sql.raw(json)}, '$.error.code') is not null
    then json_object('code', json_extract(${sql.raw(json)}, '$.error.code')) end`

/** The progress within a table: the last id that was read, or null if the table has been read to its end. */
type Portion = { last: string | null; waiting: number }

/** Deletes deliveries that mention the user, except those that are still waiting to be sent. */
export async function eraseDeliveries(
  db: Database,
  { tenantId, names }: Erasure,
  after: string,
): Promise<Portion> {
  const isNext = and(eq(outbox.tenantId, tenantId), gt(outbox.id, after))
  const rows = await db
    .select({
      id: outbox.id,
      status: outbox.status,
      mentionsUser: sql<number>`instr(${outbox.payload}, ${JSON.stringify(names.id)}) > 0`.as('is_theirs'),
    })
    .from(outbox)
    .where(isNext)
    .orderBy(asc(outbox.id))
    .limit(ROWS)
  const mentions = rows.filter(({ mentionsUser }) => mentionsUser === 1)
  const finished = mentions.filter(({ status }) => status !== 'pending').map(({ id }) => id)
  if (finished.length > 0)
    await db
      .delete(outbox)
      .where(
        and(
          eq(outbox.tenantId, tenantId),
          sql`${outbox.id} in ${listOf(finished)}`,
          sql`${outbox.status} <> 'pending'`,
        ),
      )
  return { last: lastOf(rows), waiting: mentions.length - finished.length }
}

/**
 * Removes the user's names from audit rows about others, which may name the user as actor, in a list or in a hook
 * payload.
 */
export async function eraseMentions(
  db: Database,
  { tenantId, names }: Erasure,
  after: string,
): Promise<Portion> {
  const ids = await db
    .select({ id: logs.id })
    .from(logs)
    .where(and(eq(logs.tenantId, tenantId), gt(logs.id, after)))
    .orderBy(asc(logs.id))
    .limit(ROWS)
  const last = lastOf(ids)
  const until = ids.at(-1)?.id ?? after
  const needles = [names.id, ...uniqueNames(names)]
    .filter((name) => name.length >= MIN_NAME_LENGTH)
    .map((name) => JSON.stringify(name).slice(1, -1))
  const rows = await db
    .select({ id: logs.id, payload: logs.payload })
    .from(logs)
    .where(
      and(
        eq(logs.tenantId, tenantId),
        gt(logs.id, after),
        sql`${logs.id} <= ${until}`,
        sql`exists (select 1 from json_each(${JSON.stringify(needles)}) as named
          where instr(lower(${logs.payload}), lower(named.value)) > 0)`,
      ),
    )
  for (const part of partsOf(rows.map(({ id, payload }) => ({ id, payload: eraseNames(payload, names) }))))
    await db.run(sql`update ${logs} set payload = changed.value ->> 'payload' from json_each(${part}) as changed
      where ${logs.tenantId} = ${tenantId} and ${logs.id} = changed.value ->> 'id'`)
  return { last, waiting: 0 }
}

/** Shorter names are not searched for, because they occur in almost every row and reveal almost nothing. */
const MIN_NAME_LENGTH = 3
/**
 * The characters that fit into one parameter. D1 limits a parameter to two million bytes, and a character takes at most
 * three bytes here.
 */
const MAX_CHARACTERS = 500_000

/**
 * Splits rows into as few statements as possible, because an invocation may send only a thousand
 * (spec/storage#platform-limits).
 */
function partsOf(rows: readonly object[]): string[] {
  const parts: string[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const row of rows.map((row) => JSON.stringify(row))) {
    characters += row.length
    if (characters > MAX_CHARACTERS) {
      parts.push([])
      characters = row.length
    }
    parts.at(-1)?.push(row)
  }
  return parts.map((part) => `[${part.join(',')}]`)
}

const lastOf = (rows: readonly { id: string }[]) => (rows.length < ROWS ? null : (rows.at(-1)?.id ?? null))
