import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  addOrganizationApplications,
  removeOrganizationApplication,
  replaceApplicationRoles,
} from '../../../application/organisations/applications.ts'
import { findOrganization } from '../../../application/organisations/organizations.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  ApplicationRoles,
  OrganizationApplication,
  OrganizationApplicationAddition,
  OrganizationRoleIds,
} from '../../../contract/organisations/organizations.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { readTogether } from '../../../storage/batches.ts'
import { organizationPartId } from '../../../storage/entity-versions.ts'
import {
  applicationRolesQuery,
  listApplicationsOfOrganization,
  organizationApplicationQuery,
} from '../../../storage/organisations/applications.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import { declareSubresource } from '../access/resource-declaration.ts'
import { ifMatchHeaders, readPreconditions, withEtag } from '../conflicts.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  type ManagementContext,
  managementSubrouter,
} from '../router.ts'

const tag = 'Organizations'
const declareCall = createManagementCallDeclarer(tag)
const application = declareSubresource('applicationId', {
  tag,
  name: 'application',
  entity: OrganizationApplication,
  subject: 'OrganizationApplication',
})
const applicationParams = z.object({ id: storableText(128), applicationId: storableText(128) })

const listCall = application.list({
  operationId: 'listOrganizationApplications',
  summary: 'List the applications of an organization',
  description:
    'Returns a page of the machine applications that act for the organization with their own credentials, ' +
    'the newest first, each with its roles. Responds with 404 `entity.not_exists_with_id` if the ' +
    'organization is unknown.',
  query: z.object(paginationQuery),
})
const addCall = application.link({
  operationId: 'addOrganizationApplications',
  summary: 'Add applications to an organization',
  description:
    'Lets up to 500 machine applications act for the organization, with up to 20 roles for each of them. ' +
    'Applications that it has already keep their roles and get the others. Errors: 404 ' +
    '`entity.not_exists_with_id` if the organization, an application or a role is unknown, 400 ' +
    '`guard.invalid_input` for an application of another type. ' +
    describeRecentSignIn(),
  body: OrganizationApplicationAddition,
})
const removeCall = application.delete({
  operationId: 'removeOrganizationApplication',
  summary: 'Remove an application from an organization',
  description:
    'Removes an application with its roles. Its next token request for the organization is rejected. ' +
    'Responds with 404 `entity.not_found` if the organization does not have the application.',
})
const getRolesCall = declareCall({
  method: 'get',
  path: '/{applicationId}/roles',
  operationId: 'listOrganizationApplicationRoles',
  summary: 'Get the roles of an application in an organization',
  description:
    'Returns the roles by name. Responds with 404 `entity.not_found` if the organization does not have ' +
    'the application.',
  request: { params: applicationParams },
  responses: { 200: jsonResponse('The roles', ApplicationRoles) },
  refusals: [404],
})
const replaceRolesCall = declareCall({
  method: 'put',
  path: '/{applicationId}/roles',
  operationId: 'replaceOrganizationApplicationRoles',
  summary: 'Replace the roles of an application in an organization',
  description:
    'Gives the application exactly these roles and returns them. Errors: 404 `entity.not_found` if the ' +
    'organization does not have the application, 404 `entity.not_exists_with_id` if a role is unknown. ' +
    describeRecentSignIn(),
  request: { params: applicationParams, headers: ifMatchHeaders, body: jsonBody(OrganizationRoleIds) },
  responses: { 200: jsonResponse('The roles', ApplicationRoles) },
  refusals: [404, 412],
})

/** Creates the routes for the machine applications of one organisation. The parent router authorizes the calls. */
export function organizationApplicationRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  async function readRoles(c: ManagementContext, organizationId: string, applicationId: string) {
    const key = { tenantId: c.var.tenantId, organizationId, applicationId }
    const { stored, roles } = await readTogether(db, {
      stored: organizationApplicationQuery(db, key),
      roles: applicationRolesQuery(db, key),
    })
    return stored.length > 0 ? roles : refuseWith('entity.not_found', { id: applicationId })
  }

  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { id: organizationId } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readPage(c)
      const [{ applications, ...total }] = await Promise.all([
        listApplicationsOfOrganization(db, { tenantId, organizationId }, page),
        findOrganization(dependencies, tenantId, organizationId),
      ])
      setPageHeaders(c, page, { ...total, length: applications.length })
      return c.json(applications, 200)
    })
    .openapi(addCall, async (c) => {
      const { id: organizationId } = c.req.valid('param')
      const { applicationIds: applications, roleIds: roles = [] } = c.req.valid('json')
      const [applicationIds, roleIds] = [[...new Set(applications)], [...new Set(roles)]]
      await requireOperatorStepUp(dependencies, c.var)
      await addOrganizationApplications(dependencies, {
        tenantId: c.var.tenantId,
        organizationId,
        applicationIds,
        roleIds,
        audit: application.audit(c, 'Create', { organizationId, applicationIds, roleIds }),
      })
      return c.body(null, 201)
    })
    .openapi(removeCall, async (c) => {
      const { id: organizationId, applicationId } = c.req.valid('param')
      const audit = application.audit(c, 'Delete', { organizationId, removedApplicationId: applicationId })
      const { tenantId } = c.var
      await removeOrganizationApplication(dependencies, { tenantId, organizationId, applicationId, audit })
      return c.body(null, 204)
    })
    .openapi(getRolesCall, async (c) => {
      const { id, applicationId } = c.req.valid('param')
      return c.json(await withEtag(c, await readRoles(c, id, applicationId)), 200)
    })
    .openapi(replaceRolesCall, async (c) => {
      const { id: organizationId, applicationId } = c.req.valid('param')
      const roleIds = [...new Set(c.req.valid('json').roleIds)]
      await requireOperatorStepUp(dependencies, c.var)
      const find = () => readRoles(c, organizationId, applicationId)
      const preconditions = await readPreconditions(dependencies, c, {
        subject: 'OrganizationApplication',
        id: organizationPartId(organizationId, applicationId),
        find,
      })
      const about = { organizationId, applicationId, roleIds }
      const audit = application.audit(c, 'Update', about)
      await replaceApplicationRoles(dependencies, {
        tenantId: c.var.tenantId,
        ...about,
        preconditions,
        audit,
      })
      return c.json(await withEtag(c, await find()), 200)
    })
}
