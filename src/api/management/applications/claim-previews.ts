import {
  previewApplicationClaims,
  previewResourceClaims,
} from '../../../application/applications/preview-claims.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { ClaimsPreview, ClaimsPreviewRequest } from '../../../contract/applications/claim-template.schema.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import {
  createManagementCallDeclarer,
  hasScopeFor,
  idParam,
  type ManagementContext,
  managementSubrouter,
  throwIfScopesMissing,
} from '../router.ts'

const common = {
  method: 'post',
  path: '/preview',
  request: { params: idParam, body: jsonBody(ClaimsPreviewRequest) },
  responses: { 200: jsonResponse('The claims', ClaimsPreview) },
  refusals: [404],
} as const

const describeTemplate =
  'With `claims`, that template is validated and used; otherwise the stored one. If `isTooLarge` is true, ' +
  'tokens contain none of the claims. Nothing is changed. Requires `users:read` in addition. Responds with ' +
  '404 `entity.not_exists_with_id` if the user is unknown, too.'

const applicationCall = createManagementCallDeclarer('Applications')({
  ...common,
  operationId: 'previewApplicationClaims',
  summary: 'Preview the claims of an application',
  description:
    'Returns the additional claims that the ID tokens of a user would contain if the application requested ' +
    `all scopes of its APIs. ${describeTemplate}`,
})
const resourceCall = createManagementCallDeclarer('Resources')({
  ...common,
  operationId: 'previewResourceClaims',
  summary: 'Preview the claims of an API resource',
  description:
    'Returns the additional claims that the access tokens of a user would contain if an application ' +
    `requested all scopes of the API. ${describeTemplate}`,
})

/**
 * Creates the routes for templates of claims, under /applications/{id}/claims. The parent router authorizes the calls.
 */
export const applicationClaimRoutes = (dependencies: Dependencies) =>
  managementSubrouter().openapi(applicationCall, async (c) => {
    requireUserAccess(c)
    const { userId, claims } = c.req.valid('json')
    const preview = { tenantId: c.var.tenantId, id: c.req.valid('param').id, userId, claims }
    return c.json(await previewApplicationClaims(dependencies, preview), 200)
  })

/** Creates the same route under /resources/{id}/claims. */
export const resourceClaimRoutes = (dependencies: Dependencies) =>
  managementSubrouter().openapi(resourceCall, async (c) => {
    requireUserAccess(c)
    const { userId, claims } = c.req.valid('json')
    const preview = { tenantId: c.var.tenantId, id: c.req.valid('param').id, userId, claims }
    return c.json(await previewResourceClaims(dependencies, preview), 200)
  })

/** The claims are personal data, so they are returned only to callers who may read users. */
function requireUserAccess(c: ManagementContext): void {
  throwIfScopesMissing(c, hasScopeFor(c, 'users:read') ? [] : ['users:read'])
}
