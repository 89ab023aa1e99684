import { createRoute, z } from '@hono/zod-openapi'
import { userOf } from '../../application/change-user.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { passwordColumns } from '../../application/password-columns.ts'
import { afterRevocation, logoutsOf } from '../../application/revocation.ts'
import { asTaken } from '../../application/uniqueness-refusal.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { text } from '../../contract/text.schema.ts'
import { User, UserCreation, UserPatch } from '../../contract/users.schema.ts'
import { commit } from '../../storage/commit.ts'
import { always as unconditional } from '../../storage/conditions.ts'
import { randomId } from '../../storage/ids.ts'
import { listUsers, SearchTooLarge } from '../../storage/user-search.ts'
import { insertUserIf, isUser, removeUser } from '../../storage/users.ts'
import { answer, json, refusals } from '../guard.ts'
import { backgroundOf } from '../request-context.ts'
import type { Guard } from './authentication.ts'
import { beginAudit } from './change.ts'
import { announce, page, pageQuery, readPage } from './pagination.ts'
import { always, alwaysWithBody, guarded, idParam, managementRouter } from './router.ts'
import { searchQuery } from './search.ts'
import { toAnswer } from './user-answer.ts'
import { changeUserOf } from './user-change.ts'
import { userCustomDataRoutes } from './user-custom-data.ts'
import { userIdentityRoutes } from './user-identities.ts'
import { userRoleRoutes } from './user-roles.ts'
import { readUserSearch } from './user-search.ts'
import { userSessionRoutes } from './user-sessions.ts'
import { userStandingRoutes } from './user-standing.ts'

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
    'a wildcard needs three other characters in a row. `excludeRoleId` without a search looks at the newest 10,000.',
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

const USER_ID_LENGTH = 12 // spec 3

export function userRoutes(dependencies: Dependencies, guard: Guard) {
  const { db, now } = dependencies

  return managementRouter(dependencies, guard)
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
      const audit = beginAudit(c, 'Management.User.Create', { userId: user.id }, c.req.valid('json'))
      const {
        user: [created],
      } = await commit(db, {
        tenantId,
        statements: { user: insertUserIf(db, tenantId, unconditional, user) },
        audit: audit.success(),
      }).catch(asTaken)
      return created ? c.json(toAnswer(created), 200) : refuseWith('entity.create_failed')
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(toAnswer(await userOf(dependencies, c.var.tenantId, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      if (Object.keys(patch).length === 0)
        return c.json(toAnswer(await userOf(dependencies, c.var.tenantId, id)), 200)
      return c.json(await changeUserOf(dependencies, c, id, patch), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId, principal } = c.var
      if (principal.type === 'user' && principal.id === id) refuseWith('user.cannot_delete_self')
      const audit = beginAudit(c, 'Management.User.Delete', { userId: id })
      const revocation = { tenantId, userId: id, revokedAt: now() }
      const { deleted, outboxIds } = await commit(db, {
        tenantId,
        condition: isUser(tenantId, id),
        statements: { deleted: removeUser(db, tenantId, id) },
        audit: audit.success(),
        outbox: { logouts: logoutsOf(revocation, c.req.url) },
      })
      if (deleted.length > 0) backgroundOf(c)(() => afterRevocation(dependencies, revocation, outboxIds))
      return deleted.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
    .route('/:id', userStandingRoutes(dependencies))
    .route('/:id/custom-data', userCustomDataRoutes(dependencies))
    .route('/:id/identities', userIdentityRoutes(dependencies))
    .route('/:id/sessions', userSessionRoutes(dependencies))
    .route('/:id/roles', userRoleRoutes(dependencies))
}

function asTooLarge(error: unknown): never {
  if (error instanceof SearchTooLarge)
    refuseWith('request.invalid_input', { reason: 'the search has too many parts' })
  throw error
}
