import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  changeHook,
  createHook,
  deleteHook,
  findHookById,
  renewHookSecret,
  withoutHeaders,
} from '../../../application/hooks/manage.ts'
import { HookCreation, HookPatch, HookSchema } from '../../../contract/hooks/hooks.schema.ts'
import { readSubscribedEvents } from '../../../contract/hooks/hooks.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { listHooks, type StoredHook } from '../../../storage/hooks/hooks.ts'
import { randomId } from '../../../storage/ids.ts'
import { jsonResponse } from '../../guard.ts'
import { declareResource } from '../access/resource-declaration.ts'
import {
  createManagementCallDeclarer,
  hasScopeFor,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'
import { hookDeliveryRoutes } from './hook-deliveries.ts'

const declareCall = createManagementCallDeclarer('Hooks')

const HookResponse = HookSchema.meta({ id: 'Hook' })
const HookWithSecret = HookResponse.and(z.object({ secret: z.string() })).meta({ id: 'HookWithSecret' })
const hook = declareResource({ tag: 'Hooks', name: 'hook', entity: HookResponse, subject: 'Hook' })

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listHooks',
  summary: 'List hooks',
  description:
    'Returns all hooks of the tenant, newest first, without their signing secrets. Header values are ' +
    'returned as `********` to callers who may not change hooks.',
  responses: { 200: jsonResponse('All hooks', z.array(HookResponse)) },
})
const createCall = hook.create({
  operationId: 'createHook',
  summary: 'Create a hook',
  description:
    'Registers a URL that receives a POST for each of the `events` of the hook; a single one can be given ' +
    'as `event`. Messages are signed according to Standard Webhooks; the signing secret is returned here ' +
    'and cannot be read later. Errors: 400 `guard.invalid_input` for a private address that the setting ' +
    '`allowPrivateTargets` does not allow, 422 `entity.id_in_use` for an id that is taken.',
  body: HookCreation,
  response: HookWithSecret,
})
const getCall = hook.read({
  operationId: 'getHook',
  summary: 'Get a hook',
  description:
    'Returns one hook with its headers but without its signing secret. Responds with 404 ' +
    '`entity.not_exists_with_id` if the id is unknown.',
})
const patchCall = hook.update({
  operationId: 'updateHook',
  summary: 'Change a hook',
  description:
    'Replaces the events (with `events`, or with `event` by a single one) or parts of the configuration, ' +
    'which is merged key by key, except for the headers, which are replaced as a whole. Pending ' +
    'deliveries are sent to the new URL. Responds with 400 `guard.invalid_input` for a private address ' +
    'that the setting `allowPrivateTargets` does not allow.',
  body: HookPatch,
})
const deleteCall = hook.delete({
  operationId: 'deleteHook',
  summary: 'Delete a hook',
  description:
    'Deletes a hook with all its deliveries, including pending ones. Responds with 404 ' +
    '`entity.not_found` if the id is unknown.',
})
const secretCall = hook.replaceSecret({
  operationId: 'replaceHookSecret',
  summary: 'Replace the signing secret of a hook',
  description:
    'Creates a new signing secret and returns it; it cannot be read later. The old secret is discarded ' +
    'and no longer signs anything, retries included, so the receiver must be updated immediately.',
  response: HookWithSecret,
})

const visibleHook = (c: ManagementContext, hook: StoredHook): StoredHook =>
  hasScopeFor(c, 'hooks:write') ? hook : withoutHeaders(hook)

export function hookRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const find = async (c: ManagementContext, id: string) =>
    visibleHook(c, await findHookById(dependencies, c.var.tenantId, id))

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const hooks = await listHooks(dependencies, c.var.tenantId)
      return c.json(
        hooks.map((each) => visibleHook(c, each)),
        200,
      )
    })
    .openapi(createCall, async (c) => {
      const { id = randomId(), ...body } = c.req.valid('json')
      const beginAudit = () => hook.audit(c, 'Create', { hookId: id }, body)
      const { tenantId } = c.var
      const events = readSubscribedEvents(body) ?? refuseWith('guard.invalid_input')
      const creation = { tenantId, id, hook: { events, config: body.config }, beginAudit }
      return c.json(await createHook(dependencies, creation), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await hook.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const { config, ...subscription } = c.req.valid('json')
      const patch = { events: readSubscribedEvents(subscription), config }
      const { tenantId } = c.var
      const preconditions = await hook.readPreconditions(dependencies, c, id, find)
      if (!patch.events && !config) return c.json(await hook.tagged(c, await find(c, id)), 200)
      const beginAudit = (changes: object) => hook.audit(c, 'Update', { hookId: id }, changes)
      const changed = await changeHook(dependencies, { tenantId, id, patch, preconditions, beginAudit })
      return c.json(await hook.tagged(c, changed), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const preconditions = await hook.readPreconditions(dependencies, c, id, find)
      const audit = hook.audit(c, 'Delete', { hookId: id })
      await deleteHook(dependencies, { tenantId: c.var.tenantId, id, audit, preconditions })
      return c.body(null, 204)
    })
    .openapi(secretCall, async (c) => {
      const { id } = c.req.valid('param')
      const beginAudit = (changes: object) => hook.audit(c, 'Update', { hookId: id }, changes)
      return c.json(await renewHookSecret(dependencies, { tenantId: c.var.tenantId, id, beginAudit }), 200)
    })
    .route('/', hookDeliveryRoutes(dependencies))
}
