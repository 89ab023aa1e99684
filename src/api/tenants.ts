import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../application/dependencies.ts'
import { DEFAULT_TENANT, SERVICES_RESOURCE } from '../contract/product.ts'
import { refuseWith } from '../contract/refused.ts'
import { CreatedTenant, Tenant, TenantCreation } from '../contract/tenants.schema.ts'
import { originOf } from '../domain/hosts.ts'
import { grantAdminRole, insertApplication } from '../storage/applications.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { randomId } from '../storage/ids.ts'
import { createTenant, listTenants, PLACE_TAKEN, TENANT_TAKEN } from '../storage/tenant-list.ts'
import { answer, json, refusals } from './guard.ts'
import { authenticate } from './management/authentication.ts'
import { auditRow, note } from './management/change.ts'
import { announce, page, pageQuery, readPage } from './management/pagination.ts'
import { always, alwaysWithBody, type ManagementContext, managementRouter } from './management/router.ts'

const tags = ['Tenants']
const security = [{ services: [] }]

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  security,
  summary: 'List the tenants I created, oldest first; with `manage:tenant` all there are',
  request: { query: z.object(pageQuery) },
  responses: { 200: page('Tenants', Tenant.openapi('Tenant')), ...always },
})
const createCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  security,
  summary: 'Create a tenant, with an application that administers it',
  description:
    'With `create:tenant` one, with `manage:tenant` as many as you like, and with ids of your own. The secret of the application ' +
    'is answered here and nowhere else: with client credentials at the new tenant it opens the management API there.',
  request: { body: json(TenantCreation) },
  responses: {
    200: answer('The tenant, and the way in', CreatedTenant.openapi('CreatedTenant')),
    ...alwaysWithBody,
    ...refusals(409, 422),
  },
})

const decision = {
  resource: SERVICES_RESOURCE.indicator,
  scopes: ['create:tenant', 'manage:tenant'],
} as const

/** Ours: enough not to be guessed or met by chance, and short in a host name. */
const ID_LENGTH = 12

/**
 * Tenants of this deployment (product 6). They are made and seen at the tenant `default`, its operator's own: whoever
 * administers another gives themselves every scope there is in it (decision record 0020).
 */
export function tenantRoutes(dependencies: Dependencies) {
  const { db, now, settings, tenants } = dependencies
  const circumstances = { hosts: settings.hosts, isDevelopment: settings.environment === 'development' }

  const routes = managementRouter(dependencies, authenticate(dependencies, decision))
  routes.use(async (c, next) => {
    if (c.var.tenantId !== DEFAULT_TENANT) refuseWith('auth.forbidden')
    await next()
  })
  return routes
    .openapi(listCall, async (c) => {
      const asked = readPage(c)
      const owner = mayManage(c) ? null : c.var.principal
      const { tenants: found, ...total } = await listTenants(db, { ...asked, owner })
      announce(c, asked, { ...total, length: found.length })
      return c.json(found.map(withOrigin(c)), 200)
    })
    .openapi(createCall, async (c) => {
      const given = c.req.valid('json')
      // Names are the operator's to give: a host called "login" or "support" would be believed.
      if (given.id !== undefined && !mayManage(c)) refuseWith('auth.forbidden')
      const id = given.id ?? randomId(ID_LENGTH).toLowerCase()
      const createdAt = now()
      const application = { id: randomId(), name: 'Administration', secret: randomId() }

      note(c, 'Management.Tenant.Create', { tenantId: id })
      await db
        .batch([
          ...createTenant(
            db,
            { id, createdAt },
            {
              owner: c.var.principal,
              mayOwnMany: mayManage(c),
              roleNames: settings.userDefaultRoleNames,
            },
          ),
          insertApplication(db, id, { ...application, ...administration, createdAt }),
          grantAdminRole(db, id, application.id),
          auditRow(dependencies, c, sql`true`),
        ])
        .catch(asTaken(id))
      tenants.forget(id)
      return c.json({ ...withOrigin(c)({ id, createdAt }), application }, 200)
    })

  function withOrigin(c: ManagementContext) {
    const here = new URL(c.req.url)
    return (tenant: { id: string; createdAt: number }) => ({
      ...tenant,
      origin: originOf(tenant.id, here, circumstances),
    })
  }
}

const mayManage = (c: ManagementContext) => c.var.scopes.has('manage:tenant')

const administration = {
  type: 'MachineToMachine' as const,
  description: 'Made with the tenant, for whoever created it',
  oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
  customClientMetadata: {},
}

/** The database knows best, and two at once hear the same (decision 14). */
const asTaken =
  (id: string) =>
  (error: unknown): never => {
    const violated = isUniqueViolation(error)
    if (violated === PLACE_TAKEN) refuseWith('tenant.limit_reached')
    if (violated === TENANT_TAKEN) refuseWith('entity.id_in_use', { id })
    throw error
  }
