import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { newSecret } from '../../connectors/webhook.ts'
import { Hook, HookCreation, HookPatch } from '../../contract/hooks.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { outboundProblem } from '../../domain/outbound-address.ts'
import {
  getHook,
  type HookChanges,
  hookSecretLabel,
  insertHook,
  isHook,
  listHooks,
  openHookIfPossible,
  removeHook,
  sealHeaders,
  updateHook,
} from '../../storage/hooks.ts'
import { randomId } from '../../storage/ids.ts'
import { answer, invalidInput, json, refusals } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { hookDeliveryRoutes } from './hook-deliveries.ts'
import { asIdTaken } from './own-id.ts'
import {
  always,
  alwaysWithBody,
  guarded,
  idParam,
  type ManagementContext,
  managementRouter,
} from './router.ts'

const tags = ['Hooks']
const Answered = Hook.openapi('Hook')
const one = { 200: answer('The hook', Answered) }
const withSecret = {
  200: answer(
    'The hook, and the secret its messages are signed with',
    Answered.extend({ secret: z.string() }),
  ),
}

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List hooks, newest first',
  responses: { 200: answer('The hooks', z.array(Answered)), ...always },
})
const createCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Create a hook',
  description:
    'Messages are signed as the Standard Webhooks specification says. The secret is answered here and when it is made anew, ' +
    'and nowhere else.',
  request: { body: json(HookCreation) },
  responses: { ...withSecret, ...alwaysWithBody, ...refusals(422) },
})
const getCall = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Get a hook',
  request: { params: idParam },
  responses: { ...one, ...always, ...refusals(404) },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Change a hook; its configuration is merged key by key',
  request: { params: idParam, body: json(HookPatch) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404) },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Delete a hook, with what it was still to be told',
  request: { params: idParam },
  responses: { 204: { description: 'Deleted' }, ...always, ...refusals(404) },
})
const secretCall = createRoute({
  method: 'post',
  path: '/{id}/secret',
  tags,
  ...guarded,
  summary: 'Make a new secret; the old one is worth nothing from now on',
  request: { params: idParam },
  responses: { ...withSecret, ...always, ...refusals(404) },
})

export function hookRoutes(dependencies: Dependencies, guard: Guard) {
  const { db, now, seals, tenantSettings } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => c.json(await listHooks(dependencies, c.var.tenantId), 200))
    .openapi(createCall, async (c) => {
      const { id = randomId(), ...given } = c.req.valid('json')
      await refusePrivate(c, given.config.url)

      const { tenantId } = c.var
      const { secret, sealed } = await makeSecret(tenantId, id)
      const config = await sealHeaders(seals, { tenantId, id }, given.config)
      note(c, 'Management.Hook.Create', { hookId: id }, given)
      const [, [created]] = await db
        .batch([
          auditRow(dependencies, c, sql`true`),
          insertHook(db, { ...given, config, tenantId, id, secret: sealed, createdAt: now() }),
        ])
        .catch(asIdTaken('hooks', id))
      if (!created) refuseWith('entity.create_failed')
      return c.json({ ...(await openHookIfPossible(seals, created)), secret }, 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await hookOf(c.var.tenantId, id), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      if (Object.keys(patch).length === 0) return c.json(await hookOf(c.var.tenantId, id), 200)
      if (patch.config?.url !== undefined) await refusePrivate(c, patch.config.url)
      const config =
        patch.config && (await sealHeaders(seals, { tenantId: c.var.tenantId, id }, patch.config))
      return c.json(await change(c, id, { ...patch, ...(config && { config }) }), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      note(c, 'Management.Hook.Delete', { hookId: id })
      // The row first: afterwards there is nothing left to ask for.
      const [, deleted] = await db.batch([
        auditRow(dependencies, c, isHook(tenantId, id)),
        removeHook(db, tenantId, id),
      ])
      return deleted.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
    .openapi(secretCall, async (c) => {
      const { id } = c.req.valid('param')
      const { secret, sealed } = await makeSecret(c.var.tenantId, id)
      return c.json({ ...(await change(c, id, { secret: sealed })), secret }, 200)
    })
    .route('/', hookDeliveryRoutes(dependencies))

  async function hookOf(tenantId: string, id: string) {
    const found = await getHook(db, tenantId, id)
    if (!found) refuseWith('entity.not_exists_with_id', { id })
    const { secret: _secret, ...hook } = found
    return openHookIfPossible(seals, hook)
  }

  async function change(c: ManagementContext, id: string, changes: HookChanges) {
    const { tenantId } = c.var
    note(c, 'Management.Hook.Update', { hookId: id }, changes)
    const [, [changed]] = await db.batch([
      auditRow(dependencies, c, isHook(tenantId, id)),
      updateHook(db, tenantId, id, changes),
    ])
    return changed ? openHookIfPossible(seals, changed) : refuseWith('entity.not_exists_with_id', { id })
  }

  /** Sealed at rest: whoever reads the database cannot speak in our name (design 4). */
  async function makeSecret(tenantId: string, id: string) {
    const secret = newSecret()
    return { secret, sealed: await seals.seal(hookSecretLabel(tenantId, id), secret) }
  }

  /** Said at once, and judged again at every delivery: the setting may change. */
  async function refusePrivate(c: ManagementContext, url: string): Promise<void> {
    const message = outboundProblem(url, await tenantSettings.get(c.var.tenantId))
    if (message) throw invalidInput({ issues: [{ path: ['config', 'url'], message }] })
  }
}
