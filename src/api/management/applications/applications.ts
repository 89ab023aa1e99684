import { z } from 'zod'
import {
  changeApplication,
  createApplication,
  deleteApplication,
  revokePreviousSecret,
} from '../../../application/applications/change.ts'
import { findApplicationById, redactUnmanageableSecrets } from '../../../application/applications/find.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  ApplicationCreation,
  ApplicationPatchSchema,
  ApplicationSchema,
  SecretReplacement,
} from '../../../contract/applications/applications.schema.ts'
import { requiresOwner } from '../../../domain/access/protected-changes.ts'
import { noNewOperatorScopesPrecondition } from '../../../storage/access/administration.ts'
import { listApplications } from '../../../storage/applications/applications.ts'
import { randomId } from '../../../storage/ids.ts'
import { jsonResponse, optionalJsonBody } from '../../guard.ts'
import { protectApplication } from '../access/policy-authority.ts'
import { declareResource } from '../access/resource-declaration.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  idParam,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
  requireFullAccess,
} from '../router.ts'
import { applicationRoleRoutes } from './application-roles.ts'

import { applicationClaimRoutes } from './claim-previews.ts'

const application = declareResource({
  tag: 'Applications',
  name: 'application',
  entity: ApplicationSchema,
  subject: 'Application',
})

const WithRole = ApplicationSchema.extend({ isAdmin: z.boolean() }).meta({ id: 'ApplicationWithRole' })

const listCall = application.list({
  operationId: 'listApplications',
  summary: 'List applications',
  description:
    'Returns a page of the OAuth clients of the tenant, newest first, each with its secret. The secret ' +
    'is `********` if the caller may not change the client, or is a user who would first have to sign in ' +
    'again. Built-in clients are not listed.',
  query: z.object(paginationQuery),
})
const createCall = application.create({
  operationId: 'createApplication',
  summary: 'Create an application',
  description:
    'Registers an OAuth client whose users sign in here. Its id and secret are random unless given. ' +
    'Redirect URIs are validated together with the type of the application; those of a third party may ' +
    'use http only on a loopback address. Errors: 400 `guard.invalid_input` for each unsuitable URI, ' +
    '422 if there is none at all (except for `MachineToMachine`), 422 `entity.id_in_use` if the id is ' +
    'taken. A template of additional `claims` requires the scope `all`. ' +
    describeRecentSignIn(),
  body: ApplicationCreation,
})
const getCall = application.read({
  operationId: 'getApplication',
  summary: 'Get an application',
  description:
    'Returns one OAuth client with its secret. The secret is `********` if the caller may not change the ' +
    'client, or is a user who would first have to sign in again. `isAdmin` is true if the client has the ' +
    'role that gives access to the management API. The built-in client `demo-app` can be read, too. ' +
    'Responds with 404 `entity.not_exists_with_id` if the id is unknown.',
  response: WithRole,
})
const patchCall = application.update({
  operationId: 'updateApplication',
  summary: 'Change an application',
  description:
    'Replaces the given fields; `oidcClientMetadata` and `customClientMetadata` are merged key by key, ' +
    'and null removes an optional key. `isAdmin` adds or removes the role that gives access to the ' +
    'management API, which the caller must have. An application that gains this role loses its secret ' +
    'and keys: it gets those given in the same call, or otherwise a new secret, which is returned. The ' +
    'next authorization request uses the new values. `secondFactorPolicy` requires a second factor from ' +
    'its users even if the policies of the tenant and their roles are weaker; null adds no requirement. ' +
    'With `rememberDays: 0`, no browser is remembered for sign-ins here. Weakening either requires the ' +
    'scope `all`. Redirect URIs are validated as for a new application, also if it becomes a third-party ' +
    'application; a third party whose plain http address is older than that rule keeps it until its ' +
    'addresses or its type change. `claims` replaces the template of additional claims in ID tokens and ' +
    'userinfo, null removes it, and either requires the scope `all`. ' +
    describeRecentSignIn('changes more than the name and description'),
  body: ApplicationPatchSchema,
  response: WithRole,
  refusals: [422],
})
const declareCall = createManagementCallDeclarer('Applications')
const secretCall = declareCall({
  method: 'post',
  path: '/{id}/secret',
  operationId: 'replaceApplicationSecret',
  summary: 'Replace the secret of an application',
  description:
    'Creates a new random secret and returns the application with it. The previous secret stops working ' +
    'at once, or after `previousSecretTtl` seconds, at most 30 days, so that the application can be ' +
    'updated meanwhile. If the secret before it is still accepted, too, a call with `previousSecretTtl` is ' +
    'rejected with 422 `application.has_two_secrets`, and one without ends both. Tokens issued earlier ' +
    'remain valid. Responds with 404 `entity.not_exists_with_id` if the id is unknown. ' +
    describeRecentSignIn(),
  request: { params: idParam, body: optionalJsonBody(SecretReplacement) },
  responses: { 200: jsonResponse('The application with its new secret', WithRole) },
  refusals: [404, 412, 422],
})
const revokeSecretCall = declareCall({
  method: 'delete',
  path: '/{id}/previous-secret',
  operationId: 'endPreviousApplicationSecret',
  summary: 'End the previous secret of an application',
  description:
    'Ends the secret that the current one has replaced, before it expires. Responds with 404 ' +
    '`entity.not_found` if there is none.',
  request: { params: idParam },
  responses: { 204: { description: 'The previous secret is no longer accepted' } },
  refusals: [404, 412],
})
const deleteCall = application.delete({
  operationId: 'deleteApplication',
  summary: 'Delete an application',
  description:
    'Deletes an OAuth client with all grants and tokens that were issued to it; users stay signed in to ' +
    'other applications. Responds with 404 `entity.not_found` if the id is unknown, and with 503 if ' +
    'there is more to delete than one call can: repeat the call.',
})

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
