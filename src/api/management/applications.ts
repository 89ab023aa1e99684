import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { Application, ApplicationCreation, ApplicationPatch } from '../../contract/applications.schema.ts'
import type { CustomClientMetadata } from '../../contract/applications.ts'
import { DEMO_APP_ID } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { type ApplicationAddresses, addressProblems } from '../../domain/application-rules.ts'
import {
  type Application as ApplicationRow,
  getApplication,
  getApplicationWithRole,
  grantAdminRole,
  insertApplication,
  isApplication,
  listApplications,
  patchApplication,
  removeApplication,
  removeHandedOut,
  revokeAdminRole,
  thinOutHandedOut,
} from '../../storage/applications.ts'
import { randomId } from '../../storage/ids.ts'
import { answer, invalidInput, json, refusals } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { asIdTaken } from './own-id.ts'
import { announce, page, pageQuery, readPage } from './pagination.ts'
import { always, alwaysWithBody, guarded, idParam, managementRouter } from './router.ts'

const tags = ['Applications']
const Answered = Application.openapi('Application')
const one = { 200: answer('The application', Answered) }

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List applications, newest first',
  request: { query: z.object(pageQuery) },
  responses: { 200: page('Applications', Answered), ...always },
})
const createCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Create an application',
  request: { body: json(ApplicationCreation) },
  responses: { ...one, ...alwaysWithBody, ...refusals(422) },
})
const getCall = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Get an application, and whether it administers this tenant',
  request: { params: idParam },
  responses: {
    200: answer('The application', Application.extend({ isAdmin: z.boolean() })),
    ...always,
    ...refusals(404),
  },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Change an application; metadata is merged key by key',
  request: { params: idParam, body: json(ApplicationPatch) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404) },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Delete an application',
  request: { params: idParam },
  responses: { 204: { description: 'Deleted' }, ...always, ...refusals(404) },
})

export function applicationRoutes(dependencies: Dependencies, guard: Guard) {
  const { db, now, settings } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const asked = readPage(c)
      const { applications, total } = await listApplications(db, c.var.tenantId, asked)
      announce(c, asked, { total, length: applications.length })
      return c.json(applications, 200)
    })
    .openapi(createCall, async (c) => {
      const { id = randomId(), secret = randomId(), description = null, ...given } = c.req.valid('json')
      refuseProblems(given)

      const { tenantId } = c.var
      const application = { ...given, id, secret, description, createdAt: now() }
      note(c, 'Management.Application.Create', { applicationId: id }, given)
      const [, [created]] = await db
        .batch([auditRow(dependencies, c, sql`true`), insertApplication(db, tenantId, application)])
        .catch(asIdTaken('applications', id))
      forget(tenantId, id)
      return created ? c.json(created, 200) : refuseWith('entity.create_failed')
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      if (id === DEMO_APP_ID) return c.json(demoApp(tenantId, new URL(c.req.url).origin), 200)
      const found = await getApplicationWithRole(db, tenantId, id)
      return found ? c.json(found, 200) : refuseWith('entity.not_exists_with_id', { id })
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const { isAdmin, ...patch } = c.req.valid('json')
      const { tenantId } = c.var
      const stored = await getApplication(db, tenantId, id)
      if (!stored) refuseWith('entity.not_exists_with_id', { id })
      if (Object.keys(patch).length === 0 && isAdmin === undefined) return c.json(stored, 200)
      refuseProblems(merged(stored, patch))

      note(c, 'Management.Application.Update', { applicationId: id }, c.req.valid('json'))
      const [[changed]] = await db.batch([
        patchApplication(db, tenantId, id, patch),
        auditRow(dependencies, c, isApplication(tenantId, id)),
        ...(isAdmin === undefined ? [] : [(isAdmin ? grantAdminRole : revokeAdminRole)(db, tenantId, id)]),
      ])
      forget(tenantId, id)
      return changed ? c.json(changed, 200) : refuseWith('entity.not_exists_with_id', { id })
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      note(c, 'Management.Application.Delete', { applicationId: id })
      if (!(await thinOutHandedOut(db, tenantId, id))) refuseWith('server.unavailable')
      // The row first: afterwards there is nothing left to ask for.
      const [, , deleted] = await db.batch([
        auditRow(dependencies, c, isApplication(tenantId, id)),
        removeHandedOut(db, tenantId, id),
        removeApplication(db, tenantId, id),
      ])
      forget(tenantId, id)
      return deleted.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })

  function refuseProblems(application: ApplicationAddresses): void {
    const issues = addressProblems(application, settings)
    if (issues.length > 0)
      throw invalidInput({ issues: issues.map((issue) => ({ code: 'custom', ...issue })) })
  }

  /** Decision 32: the next authorization sees what was just written. */
  function forget(tenantId: string, id: string): void {
    dependencies.applications.forget(JSON.stringify([tenantId, id]))
  }
}

/** The application as it will be: what it may have is judged as a whole. */
function merged(stored: ApplicationRow, patch: z.infer<typeof ApplicationPatch>): ApplicationAddresses {
  const { redirectUris, postLogoutRedirectUris } = {
    ...stored.oidcClientMetadata,
    ...patch.oidcClientMetadata,
  }
  const { backchannelLogoutUri }: Nullable<CustomClientMetadata> = {
    ...stored.customClientMetadata,
    ...patch.customClientMetadata,
  }
  return {
    type: patch.type ?? stored.type,
    oidcClientMetadata: { redirectUris, postLogoutRedirectUris },
    customClientMetadata: { backchannelLogoutUri: backchannelLogoutUri ?? undefined },
  }
}

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** Built in, without a row (contract 4.6). It has no secret, because a public client can keep none. */
const demoApp = (tenantId: string, origin: string) => ({
  tenantId,
  id: DEMO_APP_ID,
  name: 'Live Preview',
  secret: '',
  description: null,
  type: 'SPA' as const,
  oidcClientMetadata: {
    redirectUris: [`${origin}/demo-app`],
    postLogoutRedirectUris: [`${origin}/demo-app`],
  },
  customClientMetadata: {},
  createdAt: 0,
  isAdmin: false,
})
