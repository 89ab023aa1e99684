import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { findUserWithDeletion } from '../../../application/users/change.ts'
import { createUser } from '../../../application/users/create.ts'
import { ManagedUser, UserCreation, UserPatch } from '../../../contract/users/users.schema.ts'
import { declareResource } from '../access/resource-declaration.ts'
import { toHookDispatch } from '../change.ts'
import { paginationQuery, rawQueryValue, readPage, setPageHeaders } from '../pagination.ts'
import {
  describeRecentSignIn,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'
import { searchQuery } from '../search.ts'
import { userAccessRoutes } from './user-access.ts'
import { suspensionQuery, toUserResponse, toUserResponseWithDeletion } from './user-answer.ts'
import { changeAndReturnUser, deleteUserAsOperator, refuseOwnDeletion } from './user-change.ts'
import { userConsentRoutes } from './user-consents.ts'
import { userCustomDataRoutes } from './user-custom-data.ts'
import { userFactorRoutes } from './user-factors.ts'
import { readUserFilter, userFilterQuery, userOrderQuery } from './user-filter.ts'
import { userIdentityRoutes } from './user-identities.ts'
import { userOrganizationRoutes } from './user-organizations.ts'
import { userPasskeyRoutes } from './user-passkeys.ts'
import { userRoleRoutes } from './user-roles.ts'
import { searchUsers } from './user-search.ts'
import { userSessionRoutes } from './user-sessions.ts'

const user = declareResource({
  tag: 'Users',
  name: 'user',
  entity: ManagedUser,
  subject: 'User',
})

const listCall = user.list({
  operationId: 'listUsers',
  summary: 'List users',
  description:
    'Returns a page of the users of the tenant, newest first. `search` matches the id, primary email ' +
    'address, primary phone number, username and name; `search.{field}` matches one of them. `mode` (or ' +
    '`mode.{field}`) is `like`, with the SQL wildcards `%` and `_`, or `exact`, which accepts several ' +
    'values: `search.id=…&search.id=…&mode=exact` returns the users with these ids. A pattern that ' +
    'begins with a wildcard needs three other characters in a row (400 `request.invalid_input`). ' +
    '`roleId` returns only the users who have this role, and `excludeRoleId` leaves them out. `provider` ' +
    'is the target of a linked social identity. `hasFactor=any` considers authenticator apps and ' +
    'passkeys. `emailVerified` and `phoneVerified` return only users who have such an address. ' +
    '`lastSignInBefore` and `lastSignInAfter` are times in milliseconds; users who have never signed in ' +
    'match `lastSignInBefore`. `isSuspended` limits the list to users who are suspended, or to those who ' +
    'are not. Filters are tested on at most 10,000 users, the first ones in the order of the list, ' +
    'unless `roleId`, `provider`, `hasFactor` or `isSuspended` has fewer; `Total-Capped` is `true` if ' +
    'there are more users. `sort=relevance` returns the users with a field that equals the search first, ' +
    'then those with a field that begins with it. Users without the field to sort by come last.',
  query: z.object({
    ...paginationQuery,
    ...searchQuery,
    /** With `mode=exact`, one call can search for several values at once. */
    'search.id': rawQueryValue.meta({ type: 'array', items: { type: 'string' } }),
    ...suspensionQuery,
    ...userFilterQuery,
    ...userOrderQuery,
  }),
})
const createCall = user.create({
  operationId: 'createUser',
  summary: 'Create a user',
  description:
    'Creates a user who can sign in immediately with the given identifiers; addresses count as verified ' +
    'unless `emailVerified` or `phoneVerified` is false. A password is hashed and cannot be read ' +
    'afterwards. A username, email address or phone number of another user is rejected with 422 ' +
    '`user.*_already_in_use`. No message is sent to the user. ' +
    describeRecentSignIn(),
  body: UserCreation,
})
const getCall = user.read({
  operationId: 'getUser',
  summary: 'Get a user',
  description:
    'Returns one user with custom data and linked social identities, but without the password or its ' +
    'hash. `deletion` is present while the account is scheduled for deletion at the request of its user. ' +
    'Responds with 404 `entity.not_found` if the id is unknown.',
})
const patchCall = user.update({
  operationId: 'updateUser',
  summary: 'Change a user',
  description:
    'Replaces the given fields; an empty string or null clears a field. `customData` is replaced as a ' +
    'whole; a field of it that the tenant has defined accepts only values that match its definition (422 ' +
    '`guard.invalid_input`). A new address counts as verified unless `emailVerified` or `phoneVerified` ' +
    'is false. A username, email address or phone number of another user is rejected with 422 ' +
    '`user.*_already_in_use`. The user stays signed in. ' +
    describeRecentSignIn('changes a username, an address or whether an address is verified'),
  body: UserPatch,
  refusals: [422],
})
const deleteCall = user.delete({
  operationId: 'deleteUser',
  summary: 'Delete a user',
  description:
    'Deletes a user with their sessions, grants, tokens, roles and social identities; applications with ' +
    'a back-channel logout URI receive a logout token. Users cannot delete their own accounts here (400 ' +
    '`user.cannot_delete_self`).',
})

export function userRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const find = async (c: ManagementContext, id: string) =>
    toUserResponseWithDeletion(await findUserWithDeletion(dependencies, c.var.tenantId, id))

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const page = readPage(c)
      const search = {
        ...page,
        ...readUserFilter(c.req.valid('query')),
        query: new URL(c.req.url).searchParams,
      }
      const { users, ...total } = await searchUsers(dependencies, c.var.tenantId, search)
      setPageHeaders(c, page, { ...total, length: users.length })
      return c.json(users.map(toUserResponse), 200)
    })
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      await requireOperatorStepUp(dependencies, c.var)
      const beginAudit = (userId: string) => user.audit(c, 'Create', { userId }, body)
      const creation = { tenantId: c.var.tenantId, profile: body, beginAudit, ...toHookDispatch(c) }
      return c.json(toUserResponse(await createUser(dependencies, creation)), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await user.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      const preconditions = await user.readPreconditions(dependencies, c, id, find)
      if (Object.keys(patch).length === 0) return c.json(await user.tagged(c, await find(c, id)), 200)
      const changed = await changeAndReturnUser(dependencies, c, id, { changes: patch, preconditions })
      return c.json(await user.tagged(c, changed), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      refuseOwnDeletion(c, userId)
      const preconditions = await user.readPreconditions(dependencies, c, userId, find)
      await deleteUserAsOperator(dependencies, c, userId, { preconditions })
      return c.body(null, 204)
    })
    .route('/:id', userAccessRoutes(dependencies))
    .route('/:id/consents', userConsentRoutes(dependencies))
    .route('/:id/organizations', userOrganizationRoutes(dependencies))
    .route('/:id/custom-data', userCustomDataRoutes(dependencies))
    .route('/:id/factors', userFactorRoutes(dependencies))
    .route('/:id/identities', userIdentityRoutes(dependencies))
    .route('/:id/passkeys', userPasskeyRoutes(dependencies))
    .route('/:id/sessions', userSessionRoutes(dependencies))
    .route('/:id/roles', userRoleRoutes(dependencies))
}
