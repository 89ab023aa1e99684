import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import { NewPassword } from '../../contract/identifiers.schema.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { text } from '../../contract/text.schema.ts'
import { CustomData, User, UserCreation, UserPatch } from '../../contract/users.schema.ts'
import type { Services } from '../../env.ts'
import { afterAnswer } from '../../storage/background.ts'
import { randomId } from '../../storage/ids.ts'
import { CURRENT_METHOD, hashPassword } from '../../storage/password-hash.ts'
import { listUsers, SearchTooLarge } from '../../storage/user-search.ts'
import {
  getUser,
  hasCustomData,
  insertUserIf,
  isUser,
  removeUser,
  type UserChanges,
  type UserRow,
  updateUserIf,
} from '../../storage/users.ts'
import { answer, json, refusals } from '../guard.ts'
import { afterRevocation, logoutsOf } from '../revocation.ts'
import { asTaken } from '../taken.ts'
import type { Gate } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { announce, page, pageQuery, readPage } from './pagination.ts'
import {
  always,
  alwaysWithBody,
  guarded,
  idParam,
  type ManagementContext,
  managementRouter,
} from './router.ts'
import { searchQuery } from './search.ts'
import { toAnswer } from './user-answer.ts'
import { userRoleRoutes } from './user-roles.ts'
import { readUserSearch } from './user-search.ts'

const tags = ['Users']
const Answered = User.openapi('User')
const one = { 200: answer('The user', Answered) }

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List users, newest first',
  description:
    '`search=` looks through all fields, `search.{field}=` through one (id, primaryEmail, primaryPhone, username, ' +
    'name); `mode=` or `mode.{field}=` is `like` (default: SQL patterns with % and _) or `exact`. A pattern that begins with ' +
    'a wildcard needs three other characters in a row.',
  request: {
    query: z.object({
      ...pageQuery,
      ...searchQuery,
      excludeRoleId: text(128).optional(),
    }),
  },
  responses: { 200: page('Users', Answered), ...always },
})
const createCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Create a user',
  request: { body: json(UserCreation) },
  responses: { ...one, ...alwaysWithBody, ...refusals(422) },
})
const getCall = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Get a user',
  request: { params: idParam },
  responses: { ...one, ...always, ...refusals(404) },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Change a user; an empty string or null clears a field',
  request: { params: idParam, body: json(UserPatch) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404, 422) },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Delete a user',
  request: { params: idParam },
  responses: { 204: { description: 'Deleted' }, ...always, ...refusals(404) },
})
const getDataCall = createRoute({
  method: 'get',
  path: '/{id}/custom-data',
  tags,
  ...guarded,
  summary: "Get an application's own data about a user",
  request: { params: idParam },
  responses: { 200: answer('The data', CustomData), ...always, ...refusals(404) },
})
const patchDataCall = createRoute({
  method: 'patch',
  path: '/{id}/custom-data',
  tags,
  ...guarded,
  summary: 'Merge into it, key by key at the first level',
  request: { params: idParam, body: json(z.object({ customData: CustomData })) },
  responses: { 200: answer('The data', CustomData), ...alwaysWithBody, ...refusals(404) },
})
const passwordCall = createRoute({
  method: 'patch',
  path: '/{id}/password',
  tags,
  ...guarded,
  summary: 'Set a new password and sign the user out everywhere',
  request: { params: idParam, body: json(z.object({ password: NewPassword })) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404) },
})
const suspendCall = createRoute({
  method: 'patch',
  path: '/{id}/is-suspended',
  tags,
  ...guarded,
  summary: 'Suspend a user, who is signed out everywhere, or let them back in',
  request: { params: idParam, body: json(z.object({ isSuspended: z.boolean() })) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404) },
})

const USER_ID_LENGTH = 12 // spec 3

/** As much as a body may have (decision 10): what is merged bit by bit must not outgrow a row either. */
const MOST_CUSTOM_DATA = 64 * 1024

/** How often a merge begins again because somebody else was faster. */
const MERGE_ATTEMPTS = 5

export function userRoutes(services: Services, gate: Gate) {
  const { db, now } = services

  return managementRouter(services, gate)
    .openapi(listCall, async (c) => {
      const asked = readPage(c)
      const search = orRefuse(readUserSearch(new URL(c.req.url).searchParams))
      const withoutRoleId = c.req.valid('query').excludeRoleId
      const found = await listUsers(db, c.var.tenantId, { ...asked, search, withoutRoleId }).catch(asTooLarge)
      announce(c, asked, { ...found, length: found.users.length })
      return c.json(found.users.map(toAnswer), 200)
    })
    .openapi(createCall, async (c) => {
      const { password, ...names } = c.req.valid('json')
      const { tenantId } = c.var
      const user = {
        ...names,
        ...(password === undefined ? {} : await passwordColumns(password)),
        id: randomId(USER_ID_LENGTH),
        createdAt: now(),
      }
      note(c, 'Management.User.Create', { userId: user.id }, c.req.valid('json'))
      const [, [created]] = await db
        .batch([auditRow(services, c, sql`true`), insertUserIf(db, tenantId, sql`true`, user)])
        .catch(asTaken)
      return created ? c.json(toAnswer(created), 200) : refuseWith('entity.create_failed')
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(toAnswer(await userOf(c.var.tenantId, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      if (Object.keys(patch).length === 0) return c.json(toAnswer(await userOf(c.var.tenantId, id)), 200)
      return c.json(await change(c, id, patch), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId, principal } = c.var
      if (principal.type === 'user' && principal.id === id) refuseWith('user.cannot_delete_self')
      note(c, 'Management.User.Delete', { userId: id })
      const revocation = { tenantId, userId: id, revokedAt: now() }
      const condition = isUser(tenantId, id)
      // The row first: afterwards there is nothing left to ask for.
      const [, waiting, deleted] = await db.batch([
        auditRow(services, c, condition),
        logoutsOf(services, revocation, { condition, url: c.req.url }),
        removeUser(db, tenantId, id),
      ])
      if (deleted.length > 0)
        afterAnswer(c.executionCtx, c.var, () => afterRevocation(services, revocation, waiting))
      return deleted.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
    .openapi(getDataCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json((await userOf(c.var.tenantId, id)).customData, 200)
    })
    .openapi(patchDataCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await mergeCustomData(c, id, c.req.valid('json').customData), 200)
    })
    .openapi(passwordCall, async (c) => {
      const { id } = c.req.valid('param')
      const { password } = c.req.valid('json')
      // Decision 15: a password is reset because others may know the old one.
      return c.json(
        await change(c, id, { ...(await passwordColumns(password)), revokedAt: now() }, { password }),
        200,
      )
    })
    .openapi(suspendCall, async (c) => {
      const { id } = c.req.valid('param')
      const { isSuspended } = c.req.valid('json')
      const changes = { isSuspended, ...(isSuspended ? { revokedAt: now() } : {}) }
      return c.json(await change(c, id, changes, { isSuspended }), 200)
    })
    .route('/:id/roles', userRoleRoutes(services))

  async function userOf(tenantId: string, id: string): Promise<UserRow> {
    return (await getUser(db, tenantId, id)) ?? refuseWith('entity.not_found')
  }

  /** One batch: the change and its audit row. `given` is what the caller named. */
  async function change(c: ManagementContext, id: string, changes: UserChanges, given: object = changes) {
    const { tenantId } = c.var
    note(c, 'Management.User.Update', { userId: id }, given)
    const { revokedAt } = changes
    const revocation = typeof revokedAt === 'number' ? { tenantId, userId: id, revokedAt } : null
    const condition = isUser(tenantId, id)
    const [, [changed], waiting = []] = await db
      .batch([
        auditRow(services, c, condition),
        updateUserIf(db, tenantId, sql`true`, id, changes),
        ...(revocation ? [logoutsOf(services, revocation, { condition, url: c.req.url })] : []),
      ])
      .catch(asTaken)
    if (changed && revocation)
      afterAnswer(c.executionCtx, c.var, () => afterRevocation(services, revocation, waiting))
    return changed ? toAnswer(changed) : refuseWith('entity.not_found')
  }

  /** At the first level only, which SQL's merge is not: so it happens here, if nobody else changed them meanwhile. */
  async function mergeCustomData(c: ManagementContext, id: string, patch: Record<string, unknown>) {
    const { tenantId } = c.var
    for (let attempt = 0; attempt < MERGE_ATTEMPTS; attempt++) {
      const { customData: before } = await userOf(tenantId, id)
      const customData = { ...before, ...patch }
      if (JSON.stringify(customData).length > MOST_CUSTOM_DATA)
        refuseWith('guard.invalid_input', undefined, 413)

      note(c, 'Management.User.Update', { userId: id }, { customData })
      const condition = hasCustomData(tenantId, id, before)
      const [, [changed]] = await db.batch([
        auditRow(services, c, condition),
        updateUserIf(db, tenantId, condition, id, { customData }),
      ])
      if (changed) return changed.customData
    }
    return refuseWith('server.unavailable')
  }
}

async function passwordColumns(
  password: string,
): Promise<Pick<UserRow, 'passwordEncrypted' | 'passwordEncryptionMethod'>> {
  return { passwordEncrypted: await hashPassword(password), passwordEncryptionMethod: CURRENT_METHOD }
}

function asTooLarge(error: unknown): never {
  if (error instanceof SearchTooLarge)
    refuseWith('request.invalid_input', { reason: 'the search has too many parts' })
  throw error
}
