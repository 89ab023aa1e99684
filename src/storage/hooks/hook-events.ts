import { type SQL, sql } from 'drizzle-orm'
import { isClientUrl } from '../../contract/applications/unregistered-clients.ts'
import type { HookActor, UserHookEvent } from '../../contract/hooks/hooks.ts'
import { type UserField, userFields } from '../../contract/users/user-fields.ts'
import { truncateText } from '../../domain/log-bounds.ts'
import { allOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { jsonValue } from '../json-value.ts'
import { applications, hooks, roles, users, usersRoles } from '../tables.ts'
import { isSubscribed } from './hooks.ts'
import { insertDelivery } from './outbox-events.ts'

/** Writes hook events about users to the outbox, in the batch of the change that they report (spec/connectors#hooks). */

type HookSubject =
  | 'passkey'
  | 'factor'
  | 'roles'
  | 'sessionIds'
  | 'trustedBrowserIds'
  | 'withdrawnApplicationId'

type HookOccasion = {
  event: UserHookEvent
  /** The user, or several users who each get a message of their own. */
  userId: string | readonly string[]
  /** The operator or the service that made the change. Undefined if the user did. */
  actor?: HookActor | undefined
  applicationId?: string | undefined
  /** The event of the interaction, such as `SignIn`. */
  interactionEvent?: string
  sessionId?: string
  userAgent?: string | undefined
  /** The entity that was added, changed or removed, as JSON. */
  subject?: { name: HookSubject; json: SQL }
  /** An additional condition, besides that of the change. */
  condition?: Condition
}

/** Hook events for `commitChange`; `now` is in epoch milliseconds. */
export type HookEvents = HookOccasion & { now: number }

/** Returns an SQL expression with the JSON of a value that is known in advance. */
export const jsonExpression = (value: unknown): SQL => sql`json(${JSON.stringify(value)})`

/**
 * Inserts a delivery for every hook that is subscribed to this event if the condition holds, and returns the ids. The
 * user and the application are stored as they are when the statement runs, so every attempt to deliver sends the same
 * state.
 */
export function enqueueHooks(
  db: Database,
  tenantId: string,
  condition: Condition,
  { event, userId, actor, applicationId, subject, condition: ownCondition, ...interaction }: HookOccasion,
  now: number,
) {
  const { interactionEvent, sessionId, userAgent } = interaction
  const occasion = { interactionEvent, sessionId, userAgent: userAgent && truncateText(userAgent) }
  const unregisteredClient = applicationId && isClientUrl(applicationId) ? { id: applicationId } : undefined
  const facts = JSON.stringify({
    event,
    createdAt: new Date(now).toISOString(),
    actor,
    ...occasion,
    unregisteredClient,
  })
  const body = sql`json_set(${facts}, '$.hookId', ${hooks.id}, '$.userId', ${users.id}, '$.user', ${userJson}${
    subject ? sql`, ${sql.raw(`'$.${subject.name}'`)}, ${subject.json}` : sql``
  })`
  const payload = sql`case when ${applications.id} is null then ${body}
    else json_set(${body}, '$.application', ${applicationJson}) end`

  return insertDelivery(
    db,
    { hookId: sql`${hooks.id}`, event: sql`${event}`, payload, now },
    sql`from ${hooks}
      join ${users} on ${users.tenantId} = ${hooks.tenantId} and ${users.id} ${
        typeof userId === 'string'
          ? sql`= ${userId}`
          : sql`in (select value from json_each(${JSON.stringify(userId)}))`
      }
      left join ${applications}
        on ${applications.tenantId} = ${hooks.tenantId} and ${applications.id} = ${applicationId ?? null}
      where ${hooks.tenantId} = ${tenantId} and ${isSubscribed(event)} and ${ownCondition ? allOf(condition, ownCondition) : condition}`,
    tenantId,
  )
}

/** The number of roles that a message lists. Our choice; few users have more than ten. */
const MAX_ROLES = 100

const idsOfUserRoles = sql`select ${usersRoles.roleId} from ${usersRoles}
  where ${usersRoles.tenantId} = ${users.tenantId} and ${usersRoles.userId} = ${users.id}`

const rolesJson = (ids: SQL) => sql`json((select json_group_array(json_object('id', id, 'name', name)) from (
  select ${roles.id}, ${roles.name} from ${roles} where ${roles.tenantId} = ${users.tenantId} and ${roles.id} in (${ids})
  order by ${roles.name} limit ${sql.raw(String(MAX_ROLES))})))`

/** The roles of the user, by name, as JSON. */
export const userRolesJson = rolesJson(idsOfUserRoles)

/** The roles that the user will have once these are added, or once they replace all others, as JSON. */
export const futureUserRolesJson = (roleIds: readonly string[], how: 'added' | 'replacing') => {
  const ids = sql`select value from json_each(${JSON.stringify(roleIds)})`
  return rolesJson(how === 'added' ? sql`${idsOfUserRoles} union ${ids}` : ids)
}

const isVerified = (address: 'primaryEmail' | 'primaryPhone', flag: 'emailVerified' | 'phoneVerified') =>
  sql`json(iif(${users[address]} is not null and ${users[flag]}, 'true', 'false'))`

/** The user's fields as `toUserResponse` returns them (src/api/management/users/user-answer.ts). */
const userValues: Partial<Record<UserField, SQL>> = {
  emailVerified: isVerified('primaryEmail', 'emailVerified'),
  phoneVerified: isVerified('primaryPhone', 'phoneVerified'),
}

const userJson = sql`json_object(${sql.join(
  userFields.map((field) => sql`${sql.raw(`'${field}'`)}, ${userValues[field] ?? jsonValue(users[field])}`),
  sql`, `,
)})`

/**
 * The application as JSON. Applications that registered themselves are marked as such (spec/connectors#hook-payload).
 */
const applicationJson = sql`json_patch(json_object('id', ${applications.id}, 'type', ${applications.type},
  'name', ${applications.name}, 'description', ${applications.description}),
  iif(${applications.customClientMetadata} ->> '$.dynamicRegistration' is null, '{}', '{"isDynamicallyRegistered":true}'))`
