import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { createTenant } from '../../../application/tenants/create.ts'
import { deleteTenant } from '../../../application/tenants/delete.ts'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { DEFAULT_TENANT, SERVICES_RESOURCE } from '../../../contract/product.ts'
import { refuseWith } from '../../../contract/refused.ts'
import {
  CreatedTenant,
  DeletedTenant,
  TenantCreation,
  TenantSchema,
} from '../../../contract/tenants/tenants.schema.ts'
import { tenantOrigin } from '../../../domain/tenants/hosts.ts'
import { listTenants } from '../../../storage/tenants/tenant-list.ts'
import { jsonResponse, optionalJsonBody } from '../../guard.ts'
import { requireToken } from '../authentication.ts'
import { beginManagementAudit } from '../change.ts'
import { pageResponse, paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import { createManagementCallDeclarer, type ManagementContext, managementRouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Tenants', 'services')

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listTenants',
  summary: 'List tenants',
  description:
    'Returns a page of the tenants that the caller created, newest first, or of all tenants if the ' +
    'caller has the scope `manage:tenant`. `origin` is null as long as no host leads to a tenant. ' +
    'Responds with 403 `auth.forbidden` on a host of any tenant other than `default`.',
  request: { query: z.object(paginationQuery) },
  responses: { 200: pageResponse('A page of tenants', TenantSchema.meta({ id: 'Tenant' })) },
})
const createCall = declareCall({
  method: 'post',
  path: '/',
  operationId: 'createTenant',
  summary: 'Create a tenant',
  description:
    'Creates a tenant with its own users, applications, settings and signing keys, an application that ' +
    'administers it, and a link that creates its first administrator (valid once, for ten minutes; null ' +
    'as long as no host leads to the tenant). The secret and the link are returned here and cannot be ' +
    'read later. The scope `create:tenant` allows one tenant (then 409 `tenant.limit_reached`); ' +
    '`manage:tenant` allows any number, with an `id` of your choice (422 `entity.id_in_use` if it is ' +
    'taken).',
  request: { body: optionalJsonBody(TenantCreation) },
  responses: {
    200: jsonResponse('The tenant and its first application', CreatedTenant.meta({ id: 'CreatedTenant' })),
  },
  refusals: [409, 413, 415, 422],
})

const deleteCall = declareCall({
  method: 'delete',
  path: '/{id}',
  operationId: 'deleteTenant',
  summary: 'Delete a tenant',
  description:
    'Shuts down a tenant at once and deletes everything that belongs to it: users, applications, ' +
    'settings, keys, logs and interactions in progress. This cannot be undone. `confirm` repeats the id. ' +
    '`isComplete` is false if there was more to delete than one call can: a scheduled job continues ' +
    'every minute, and repeating the call does, too. `uploadsLeft` is true if the tenant has a storage ' +
    'provider of its own that refused to delete the uploads or could not be reached: this is retried for ' +
    'one hour, after which the tenant is deleted without it. Requires the `manage:tenant` scope; the ' +
    'tenant `default` is rejected with 403 `auth.forbidden`.',
  request: { params: z.object({ id: z.string().max(ID_LENGTH) }), query: z.object({ confirm: z.string() }) },
  responses: {
    200: jsonResponse(
      'The tenant no longer responds to requests',
      DeletedTenant.meta({ id: 'DeletedTenant' }),
    ),
  },
  refusals: [404],
})

const requiredToken = {
  resource: SERVICES_RESOURCE.indicator,
  scopes: ['create:tenant', 'manage:tenant'],
} as const

/**
 * Serves the tenants of this deployment (spec/management#tenants-api). Only the tenant `default`, which belongs to the
 * deployment's operator, can create and list tenants. Scopes do not protect these calls, because administrators of any
 * tenant can grant themselves every scope in it (ADR-0020).
 */
export function tenantRoutes(dependencies: Dependencies) {
  const { db, settings } = dependencies
  const deployment = settings.hosting

  const routes = managementRouter(dependencies, requireToken(dependencies, requiredToken))
  routes.use(async (c, next) => {
    if (c.var.tenantId !== DEFAULT_TENANT) refuseWith('auth.forbidden')
    await next()
  })
  return routes
    .openapi(listCall, async (c) => {
      const page = readPage(c)
      const owner = mayManage(c) ? null : c.var.principal
      const { tenants, ...total } = await listTenants(db, { ...page, owner })
      setPageHeaders(c, page, { ...total, length: tenants.length })
      return c.json(tenants.map(withOrigin(c)), 200)
    })
    .openapi(createCall, async (c) => {
      const { id } = c.req.valid('json')
      // Only the deployment's operator may choose ids, because a host called "login" or "support" would mislead users.
      if (id !== undefined && !mayManage(c)) refuseWith('auth.forbidden')
      const created = await createTenant(dependencies, {
        id,
        owner: c.var.principal,
        mayOwnMany: mayManage(c),
        beginAudit: (tenantId) => beginManagementAudit(c, 'Management.Tenant.Create', { tenantId }),
        originOf: (tenantId) => tenantOrigin(tenantId, c.var.url, deployment),
        tenantId: c.var.tenantId,
      })
      return c.json(created, 200)
    })

    .openapi(deleteCall, async (c) => {
      if (!mayManage(c)) refuseWith('auth.forbidden')
      const deleted = await deleteTenant(dependencies, {
        id: c.req.valid('param').id,
        confirm: c.req.valid('query').confirm,
        beginAudit: (tenantId) => beginManagementAudit(c, 'Management.Tenant.Delete', { tenantId }),
        tenantId: c.var.tenantId,
      })
      return c.json(deleted, 200)
    })

  function withOrigin(c: ManagementContext) {
    const here = new URL(c.req.url)
    return (tenant: { id: string; createdAt: number }) => ({
      ...tenant,
      origin: tenantOrigin(tenant.id, here, deployment),
    })
  }
}

const mayManage = (c: ManagementContext) => c.var.scopes.has('manage:tenant')
