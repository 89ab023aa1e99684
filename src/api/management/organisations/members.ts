import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  addMembers,
  removeOrganizationMember,
  replaceMemberRoles,
} from '../../../application/organisations/members.ts'
import { findOrganization } from '../../../application/organisations/organizations.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  MemberRoles,
  OrganizationMember,
  OrganizationMemberAddition,
  OrganizationRoleIds,
} from '../../../contract/organisations/organizations.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { organizationPartId } from '../../../storage/entity-versions.ts'
import { listMembers, memberQuery } from '../../../storage/organisations/member-list.ts'
import { userSearchFields } from '../../../storage/users/user-search.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import { declareSubresource } from '../access/resource-declaration.ts'
import { toHookDispatch } from '../change.ts'
import { ifMatchHeaders, readPreconditions, withEtag } from '../conflicts.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  hasScopeFor,
  type ManagementContext,
  managementSubrouter,
} from '../router.ts'
import { searchQuery } from '../search.ts'
import { toUserResponse, toUserSummary } from '../users/user-answer.ts'
import { parseUserSearch, refuseLargeSearch } from '../users/user-search.ts'

const tag = 'Organizations'
const declareCall = createManagementCallDeclarer(tag)
const member = declareSubresource('userId', {
  tag,
  name: 'member',
  entity: OrganizationMember,
  subject: 'OrganizationMember',
})
const memberParams = z.object({ id: storableText(128), userId: storableText(128) })

const listCall = member.list({
  operationId: 'listOrganizationMembers',
  summary: 'List the members of an organization',
  description:
    'Returns a page of the members, the newest first, each with roles and the sources of roles and ' +
    'membership. `search` works as for users, and `roleId` returns only members with this role. If more ' +
    'than 5,000 users match, the newest 5,000 members are tested, and `Total-Capped` is `true`. Callers ' +
    'without `users:read` see the id, username, name and avatar of each user and cannot search for ' +
    'addresses. Responds with 404 `entity.not_exists_with_id` if the organization is unknown.',
  query: z.object({ ...paginationQuery, ...searchQuery, roleId: storableText(128).optional() }),
})
const addCall = member.link({
  operationId: 'addOrganizationMembers',
  summary: 'Add members to an organization',
  description:
    'Makes up to 500 users members, with up to 20 roles for each of them. The users are not asked. Users ' +
    'who are members already keep their roles and get the others. Errors: 404 `entity.not_exists_with_id` ' +
    'if the organization or a role is unknown, 404 `entity.not_found` if a user is unknown. ' +
    describeRecentSignIn(),
  body: OrganizationMemberAddition,
})
const getCall = member.read({
  operationId: 'getOrganizationMember',
  summary: 'Get a member of an organization',
  description: 'Returns one member. Responds with 404 `entity.not_found` if the user is no member.',
})
const removeCall = member.delete({
  operationId: 'removeOrganizationMember',
  summary: 'Remove a member from an organization',
  description:
    'Ends a membership with all its roles, whatever their sources. Grants of applications for the ' +
    'organization end at once. Errors: 404 `entity.not_found` if the user is no member, 422 ' +
    '`organization.last_owner` for the last owner.',
  refusals: [422],
})
const getRolesCall = declareCall({
  method: 'get',
  path: '/{userId}/roles',
  operationId: 'listOrganizationMemberRoles',
  summary: 'Get the roles of a member',
  description:
    'Returns the roles of a member by name, each with the sources that gave it. Responds with 404 ' +
    '`entity.not_found` if the user is no member.',
  request: { params: memberParams },
  responses: { 200: jsonResponse('The roles', MemberRoles) },
  refusals: [404],
})
const replaceRolesCall = declareCall({
  method: 'put',
  path: '/{userId}/roles',
  operationId: 'replaceOrganizationMemberRoles',
  summary: 'Replace the roles of a member',
  description:
    'Replaces the roles with the source `manual` or `invitation` and returns all roles. Roles from other ' +
    'sources remain. ' +
    'Errors: 404 `entity.not_found` if the user is no member, 404 `entity.not_exists_with_id` if a role is ' +
    'unknown, 422 `organization.last_owner` if the organization would have no owner. ' +
    describeRecentSignIn(),
  request: { params: memberParams, headers: ifMatchHeaders, body: jsonBody(OrganizationRoleIds) },
  responses: { 200: jsonResponse('The roles', MemberRoles) },
  refusals: [404, 412, 422],
})

/** Creates the routes for the members of one organisation. The parent router authorizes the calls. */
export function organizationMemberRoutes(dependencies: Dependencies) {
  const { db } = dependencies
  const by = { kind: 'operator' } as const

  const find = async (c: ManagementContext, organizationId: string, userId: string) => {
    const [row] = await memberQuery(db, { tenantId: c.var.tenantId, organizationId, userId })
    return row ?? refuseWith('entity.not_found', { id: userId })
  }
  const changeOf = (
    c: ManagementContext,
    {
      action,
      organizationId,
      userId,
    }: { action: 'Update' | 'Delete'; organizationId: string; userId: string },
    about: object = {},
  ) => ({
    tenantId: c.var.tenantId,
    organizationId,
    userId,
    by,
    audit: member.audit(c, action, { organizationId, userId, ...about }),
    hooks: toHookDispatch(c),
  })

  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { id: organizationId } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readPage(c)
      const search = parseUserSearch(
        new URL(c.req.url).searchParams,
        hasScopeFor(c, 'users:read') ? userSearchFields : namedFields,
      )
      const { roleId } = c.req.valid('query')
      const [{ members, ...total }] = await Promise.all([
        listMembers(db, { tenantId, organizationId }, { ...page, search, roleId }).catch(refuseLargeSearch),
        findOrganization(dependencies, tenantId, organizationId),
      ])
      setPageHeaders(c, page, { ...total, length: members.length })
      return c.json(
        members.map((row) => toMember(c, row)),
        200,
      )
    })
    .openapi(addCall, async (c) => {
      const { id: organizationId } = c.req.valid('param')
      const { userIds: users, roleIds: roles = [] } = c.req.valid('json')
      const [userIds, roleIds] = [[...new Set(users)], [...new Set(roles)]]
      await requireOperatorStepUp(dependencies, c.var)
      // The row of a single user is also found by that user.
      const [userId, ...others] = userIds
      const about = others.length === 0 ? { userId } : { userIds }
      await addMembers(dependencies, {
        tenantId: c.var.tenantId,
        organizationId,
        userIds,
        roleIds,
        audit: member.audit(c, 'Create', { organizationId, ...about, roleIds }),
        hooks: toHookDispatch(c),
      })
      return c.body(null, 201)
    })
    .openapi(getCall, async (c) => {
      const { id, userId } = c.req.valid('param')
      return c.json(toMember(c, await find(c, id, userId)), 200)
    })
    .openapi(removeCall, async (c) => {
      const { id: organizationId, userId } = c.req.valid('param')
      const change = changeOf(c, { action: 'Delete', organizationId, userId })
      await removeOrganizationMember(dependencies, { ...change, url: c.req.url })
      return c.body(null, 204)
    })
    .openapi(getRolesCall, async (c) => {
      const { id, userId } = c.req.valid('param')
      return c.json(await withEtag(c, (await find(c, id, userId)).roles), 200)
    })
    .openapi(replaceRolesCall, async (c) => {
      const { id: organizationId, userId } = c.req.valid('param')
      const roleIds = [...new Set(c.req.valid('json').roleIds)]
      await requireOperatorStepUp(dependencies, c.var)
      const readRoles = async () => (await find(c, organizationId, userId)).roles
      const preconditions = await readPreconditions(dependencies, c, {
        subject: 'OrganizationMember',
        id: organizationPartId(organizationId, userId),
        find: readRoles,
      })
      const change = changeOf(c, { action: 'Update', organizationId, userId }, { roleIds })
      await replaceMemberRoles(dependencies, { ...change, roleIds, preconditions })
      return c.json(await withEtag(c, await readRoles()), 200)
    })
}

/** The fields that callers without access to user data may search. */
const namedFields = ['id', 'username', 'name'] as const

type MemberRow = Awaited<ReturnType<typeof listMembers>>['members'][number]

const toMember = (c: ManagementContext, { roles, sources, joinedAt, ...user }: MemberRow) => ({
  user: hasScopeFor(c, 'users:read') ? toUserResponse(user) : toUserSummary(user),
  roles,
  sources,
  joinedAt,
})
