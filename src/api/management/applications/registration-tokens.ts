import { z } from 'zod'
import {
  createRegistrationToken,
  revokeRegistrationToken,
} from '../../../application/applications/registration-tokens.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  RegistrationTokenCreation,
  RegistrationTokenSchema,
} from '../../../contract/applications/registration-tokens.schema.ts'
import { listRegistrationTokens } from '../../../storage/applications/registration-tokens.ts'
import { randomId } from '../../../storage/ids.ts'
import { jsonAnswer } from '../../guard.ts'
import { declareListedResource } from '../access/resource-declaration.ts'
import { type ManagementGuard, managementCalls, managementRouter, needsRecentSignIn } from '../router.ts'

const tag = 'Registration tokens'
const declareCall = managementCalls(tag)
const Answered = RegistrationTokenSchema.meta({ id: 'RegistrationToken' })
const token = declareListedResource({
  tag,
  name: 'registration token',
  entity: Answered,
  subject: 'RegistrationToken',
})

const listCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'List registration tokens',
  description:
    'Answers the tokens by which clients may register themselves, newest first and 100 at most, without their values. Expired ones are deleted.',
  answers: { 200: jsonAnswer('The tokens', z.array(Answered)) },
})
const createCall = token.create({
  summary: 'Create a registration token',
  description:
    'Creates an initial access token (RFC 7591), by which `uses` clients (1) may register within `lifetimeSeconds` (a day). Its value is answered here and cannot be read later. ' +
    'Clients can register where the setting `clientRegistration` has `enabled`. ' +
    needsRecentSignIn(),
  body: RegistrationTokenCreation,
  answer: Answered.and(z.object({ token: z.string() })),
})
const deleteCall = token.delete({
  summary: 'Revoke a registration token',
  description:
    'Nobody can register with the token any more; clients that have stay. An unknown id is refused with 404 `entity.not_found`.',
})

/** Initial access tokens of dynamic registration (spec/management#registration-tokens). */
export function registrationTokenRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) =>
      c.json(await listRegistrationTokens(dependencies.db, c.var.tenantId), 200),
    )
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      const id = randomId()
      await requireOperatorStepUp(dependencies, c.var)
      const audit = token.audit(c, 'Create', { registrationTokenId: id }, body)
      const created = { tenantId: c.var.tenantId, id, token: body, audit }
      return c.json(await createRegistrationToken(dependencies, created), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const audit = token.audit(c, 'Delete', { registrationTokenId: id })
      await revokeRegistrationToken(dependencies, { tenantId: c.var.tenantId, id, audit })
      return c.body(null, 204)
    })
}
