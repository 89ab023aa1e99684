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
import { listHooks } from '../../../storage/hooks/hooks.ts'
import { randomId } from '../../../storage/ids.ts'
import { jsonAnswer } from '../../guard.ts'
import { declareResource } from '../access/resource-declaration.ts'
import {
  type ManagementContext,
  type ManagementGuard,
  managementCalls,
  managementRouter,
  mayCall,
} from '../router.ts'
import { hookDeliveryRoutes } from './hook-deliveries.ts'

const declareCall = managementCalls('Hooks')

const Answered = HookSchema.meta({ id: 'Hook' })
const WithSecret = Answered.and(z.object({ secret: z.string() }))
const hook = declareResource({ tag: 'Hooks', name: 'hook', entity: Answered, subject: 'Hook' })

const listCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'List hooks',
  description:
    'Answers all hooks of the tenant, newest first, without their signing secrets. The values of headers are answered as `********` to callers who may not change hooks.',
  answers: { 200: jsonAnswer('All hooks', z.array(Answered)) },
})
const createCall = hook.create({
  summary: 'Create a hook',
  description:
    'Registers an address that receives a POST for each registration, sign-in or password reset, or when a passkey or second factor is added or removed. Messages are signed as Standard Webhooks describes; ' +
    'the signing secret is answered here and cannot be read later. A private address (400 `guard.invalid_input`) and a taken id (422 `entity.id_in_use`) are refused.',
  body: HookCreation,
  answer: WithSecret,
})
const getCall = hook.read({
  summary: 'Get a hook',
  description:
    'Answers one hook with its headers and without its signing secret. An unknown id is refused with 404 `entity.not_exists_with_id`.',
})
const patchCall = hook.update({
  summary: 'Change a hook',
  description:
    'Replaces the event or parts of the configuration: it is merged key by key, the headers as a whole. Deliveries that wait already are sent to the new ' +
    'address. A private address is refused with 400 `guard.invalid_input`.',
  body: HookPatch,
})
const deleteCall = hook.delete({
  summary: 'Delete a hook',
  description:
    'Deletes a hook with all its deliveries, also those that are still to be made. An unknown id is refused with 404 `entity.not_found`.',
})
const secretCall = hook.replaceSecret({
  summary: 'Replace the signing secret of a hook',
  description:
    'Creates a new signing secret and answers it; it cannot be read later. The old secret is discarded and signs nothing from now on, retries included, ' +
    'so a receiver has to know the new one at once.',
  answer: WithSecret,
})

const seenBy = (c: ManagementContext, hook: z.infer<typeof Answered>) =>
  mayCall(c, 'hooks:write') ? hook : withoutHeaders(hook)

export function hookRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const find = async (c: ManagementContext, id: string) =>
    seenBy(c, await findHookById(dependencies, c.var.tenantId, id))

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const hooks = await listHooks(dependencies, c.var.tenantId)
      return c.json(
        hooks.map((each) => seenBy(c, each)),
        200,
      )
    })
    .openapi(createCall, async (c) => {
      const { id = randomId(), ...body } = c.req.valid('json')
      const beginAudit = () => hook.audit(c, 'Create', { hookId: id }, body)
      const { tenantId } = c.var
      return c.json(await createHook(dependencies, { tenantId, id, hook: body, beginAudit }), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await hook.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      const { tenantId } = c.var
      const preconditions = await hook.preconditionsOf(dependencies, c, id, find)
      if (Object.keys(patch).length === 0) return c.json(await hook.tagged(c, await find(c, id)), 200)
      const beginAudit = (changes: object) => hook.audit(c, 'Update', { hookId: id }, changes)
      const changed = await changeHook(dependencies, { tenantId, id, patch, preconditions, beginAudit })
      return c.json(await hook.tagged(c, changed), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const preconditions = await hook.preconditionsOf(dependencies, c, id, find)
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
