import {
  changeApplication,
  createApplication,
  deleteApplication,
  revokePreviousSecret,
} from '../../../application/applications/change.ts'
import { findApplicationById, redactUnmanageableSecrets } from '../../../application/applications/find.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { requiresOwner } from '../../../domain/access/protected-changes.ts'
import { noNewOperatorScopesPrecondition } from '../../../storage/access/administration.ts'
import { listApplications } from '../../../storage/applications/applications.ts'
import { randomId } from '../../../storage/ids.ts'
import { protectApplication } from '../access/policy-authority.ts'
import { readPage, setPageHeaders } from '../pagination.ts'
import {
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
  requireFullAccess,
} from '../router.ts'
import {
  application,
  createCall,
  deleteCall,
  getCall,
  listCall,
  patchCall,
  revokeSecretCall,
  secretCall,
} from './application-calls.ts'
import { applicationRoleRoutes } from './application-roles.ts'
import { applicationClaimRoutes } from './claim-previews.ts'

export function applicationRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { now } = dependencies
  const find = async (c: ManagementContext, id: string) => {
    const { tenantId, url } = c.var
    const stored = await findApplicationById(dependencies, { tenantId, id, origin: url.origin })
    const [visible = stored] = await redactUnmanageableSecrets(dependencies, c.var, [stored])
    return visible
  }

  const toResponse = async (c: ManagementContext, changed: Awaited<ReturnType<typeof changeApplication>>) => {
    const [visible = changed] = await redactUnmanageableSecrets(dependencies, c.var, [changed])
    return application.tagged(c, visible)
  }

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const page = readPage(c)
      const { applications, total } = await listApplications(dependencies, c.var.tenantId, page)
      setPageHeaders(c, page, { total, length: applications.length })
      return c.json(await redactUnmanageableSecrets(dependencies, c.var, applications), 200)
    })
    .openapi(createCall, async (c) => {
      const {
        id = randomId(),
        secret = randomId(),
        description = null,
        secondFactorPolicy = null,
        rememberDays = null,
        ...body
      } = c.req.valid('json')
      refuseListing(c, body)
      if (body.claims) requireFullAccess(c)
      await requireOperatorStepUp(dependencies, c.var)
      const beginAudit = () => application.audit(c, 'Create', { applicationId: id }, body)
      const created = await createApplication(dependencies, {
        tenantId: c.var.tenantId,
        origin: c.var.url.origin,
        application: {
          ...body,
          id,
          secret,
          description,
          secondFactorPolicy,
          rememberDays,
          createdAt: now(),
        },
        beginAudit,
      })
      return c.json(created, 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await application.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const body = c.req.valid('json')
      const { isAdmin, ...changes } = body
      refuseListing(c, body)
      if (isAdmin || requiresOwner(body)) requireFullAccess(c)
      await protectApplication(dependencies, c, id, isAdmin ? body : changes)
      const preconditions = [
        ...(await application.readPreconditions(dependencies, c, id, find)),
        ...noNewOperatorScopesPrecondition(c.var, id),
      ]
      const beginAudit = () => application.audit(c, 'Update', { applicationId: id }, body)
      const { tenantId, url } = c.var
      const change = { tenantId, id, origin: url.origin, changes, isAdmin, preconditions, beginAudit }
      return c.json(await toResponse(c, await changeApplication(dependencies, change)), 200)
    })
    .openapi(secretCall, async (c) => {
      const { id } = c.req.valid('param')
      await requireOperatorStepUp(dependencies, c.var)
      const { tenantId, url } = c.var
      const { previousSecretTtl } = c.req.valid('json')
      const changes = { secret: randomId() }
      const beginAudit = () =>
        application.audit(
          c,
          'Update',
          { applicationId: id },
          {
            ...changes,
            ...(previousSecretTtl > 0 && { previousSecretTtl }),
          },
        )
      const changed = await changeApplication(dependencies, {
        tenantId,
        id,
        origin: url.origin,
        changes,
        isAdmin: undefined,
        previousSecretTtl,
        preconditions: noNewOperatorScopesPrecondition(c.var, id),
        beginAudit,
      })
      return c.json(await application.tagged(c, changed), 200)
    })
    .openapi(revokeSecretCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const audit = application.audit(c, 'Update', { applicationId: id }, { previousSecret: null })
      const preconditions = noNewOperatorScopesPrecondition(c.var, id)
      await revokePreviousSecret(dependencies, { tenantId, id, audit, preconditions })
      return c.body(null, 204)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      await protectApplication(dependencies, c, id, null)
      const preconditions = await application.readPreconditions(dependencies, c, id, find)
      const audit = application.audit(c, 'Delete', { applicationId: id })
      await deleteApplication(dependencies, { tenantId: c.var.tenantId, id, audit, preconditions })
      return c.body(null, 204)
    })
    .route('/:id/roles', applicationRoleRoutes(dependencies))
    .route('/:id/claims', applicationClaimRoutes(dependencies))
}

/**
 * Requires the scope `all` to allow an application to use our own APIs, because its pages then get tokens for everyone
 * who signs in to it, including owners (spec/provider#allowed-resources).
 */
function refuseListing(
  c: ManagementContext,
  body: {
    customClientMetadata?: { allowedBuiltInResources?: readonly string[] | null | undefined } | undefined
  },
): void {
  if ((body.customClientMetadata?.allowedBuiltInResources?.length ?? 0) > 0) requireFullAccess(c)
}
