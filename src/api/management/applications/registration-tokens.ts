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
import { jsonResponse } from '../../guard.ts'
import { declareListedResource } from '../access/resource-declaration.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'

const tag = 'Registration tokens'
const declareCall = createManagementCallDeclarer(tag)
const TokenResponse = RegistrationTokenSchema.meta({ id: 'RegistrationToken' })
const token = declareListedResource({
  tag,
  name: 'registration token',
  entity: TokenResponse,
  subject: 'RegistrationToken',
})

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listRegistrationTokens',
  summary: 'List registration tokens',
  description:
    'Returns the tokens with which clients may register themselves, newest first and at most 100, ' +
    'without their values. Expired tokens are deleted.',
  responses: { 200: jsonResponse('The tokens', z.array(TokenResponse)) },
})
const createCall = token.create({
  operationId: 'createRegistrationToken',
  summary: 'Create a registration token',
  description:
    'Creates an initial access token (RFC 7591), with which `uses` clients (default: 1) may register ' +
    'within `lifetimeSeconds` (default: one day). Its value is returned only here and cannot be read ' +
    'later. Clients can register if the setting `clientRegistration` has `enabled`. ' +
    describeRecentSignIn(),
  body: RegistrationTokenCreation,
  response: TokenResponse.and(z.object({ token: z.string() })).meta({ id: 'RegistrationTokenWithValue' }),
})
const deleteCall = token.delete({
  operationId: 'deleteRegistrationToken',
  summary: 'Revoke a registration token',
  description:
    'Revokes a token, so that no more clients can register with it; clients that already have are kept. ' +
    'Responds with 404 `entity.not_found` if the id is unknown.',
})

/** Serves the initial access tokens of dynamic client registration (spec/management#registration-tokens). */
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
