import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import {
  addOwnPasskey,
  createOwnPasskeyCreationOptions,
  listOwnPasskeys,
  removeOwnPasskey,
  renameOwnPasskey,
} from '../../application/passkeys/manage.ts'
import {
  CredentialId,
  PasskeyAttestationSchema,
  PasskeyCreationOptions,
  PasskeyPatch,
  PasskeyPurpose,
  PasskeySchema,
} from '../../contract/passkeys/passkeys.schema.ts'
import { jsonBody, jsonResponse } from '../guard.ts'
import {
  accountCallContext,
  accountRouter,
  beginAccountAudit,
  declareAccountCall,
  STEP_UP_REQUIREMENT,
} from './router.ts'

const Passkey = PasskeySchema.meta({ id: 'Passkey' })
const params = z.object({ id: CredentialId })

const listCall = declareAccountCall({
  method: 'get',
  path: '/',
  operationId: 'listMyPasskeys',
  summary: 'List my passkeys',
  description:
    'Returns the passkeys of the signed-in user, oldest first: their names, when they were created and ' +
    'last used, and whether they are synced to other devices. Requires the `profile` scope.',
  responses: { 200: jsonResponse('All passkeys', z.array(Passkey)) },
})
const optionsCall = declareAccountCall({
  method: 'post',
  path: '/options',
  operationId: 'beginMyPasskey',
  summary: 'Begin to create a passkey',
  request: { body: { ...jsonBody(PasskeyPurpose), required: false } },
  description:
    'Returns the options with which the browser creates a passkey ' +
    '(`PublicKeyCredentialCreationOptionsJSON`). The application must call this from a page on which the ' +
    'browser allows the domain of the tenant. With the `purpose` `secondFactor`, a security key without ' +
    `a PIN is sufficient; it supplements another proof and cannot sign in by itself. ${STEP_UP_REQUIREMENT} ` +
    'Responds with 422 `user.sign_in_method_not_enabled` if passkeys are not enabled, and with 422 ' +
    '`passkey.limit_reached` if the user has too many.',
  responses: { 200: jsonResponse('The options for the browser', PasskeyCreationOptions) },
  refusals: [422],
})
const createCall = declareAccountCall({
  method: 'post',
  path: '/',
  operationId: 'createMyPasskey',
  summary: 'Create a passkey',
  description:
    'Stores the passkey that the browser has created with these options, under the name of its ' +
    `authenticator if that is known. The user is notified by a message. ${STEP_UP_REQUIREMENT} An unsuitable ` +
    'response is rejected with 422 `passkey.verification_failed`, and a passkey that is already ' +
    'registered with 422 `passkey.already_registered`.',
  request: { body: jsonBody(PasskeyAttestationSchema) },
  responses: { 200: jsonResponse('The passkey', Passkey) },
  refusals: [409, 422],
})
const renameCall = declareAccountCall({
  method: 'patch',
  path: '/{id}',
  operationId: 'updateMyPasskey',
  summary: 'Rename one of my passkeys',
  description:
    'Gives a passkey of the signed-in user another name. The user is notified by a message, at most once ' +
    'in ten minutes. Requires the `profile` scope. Responds with 404 `entity.not_found` if the passkey ' +
    'belongs to another user.',
  request: { params, body: jsonBody(PasskeyPatch) },
  responses: { 200: jsonResponse('The renamed passkey', Passkey) },
  refusals: [404],
})
const deleteCall = declareAccountCall({
  method: 'delete',
  path: '/{id}',
  operationId: 'removeMyPasskey',
  summary: 'Remove one of my passkeys',
  description:
    'Removes a passkey, so that the user can no longer sign in with it; sessions continue. The user is ' +
    `notified by a message. ${STEP_UP_REQUIREMENT} The last way to sign in cannot be removed (422 ` +
    '`user.last_sign_in_method`). Responds with 404 `entity.not_found` if the passkey belongs to another ' +
    'user.',
  request: { params },
  responses: { 204: { description: 'Removed' } },
  refusals: [404, 422],
})

export function accountPasskeyRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile', 'passkeys')
    .openapi(listCall, async (c) => c.json(await listOwnPasskeys(dependencies, accountCallContext(c)), 200))
    .openapi(optionsCall, async (c) => {
      const { purpose = 'signIn' } = c.req.valid('json')
      return c.json(
        await createOwnPasskeyCreationOptions(dependencies, { ...accountCallContext(c), purpose }),
        200,
      )
    })
    .openapi(createCall, async (c) => {
      const created = await addOwnPasskey(dependencies, {
        ...accountCallContext(c),
        attestation: c.req.valid('json'),
        // The `Origin` header names an allowed origin of an application, or the origin of our own pages.
        origin: c.req.header('origin') ?? new URL(c.req.url).origin,
        audit: beginAccountAudit(c, 'Account.Passkey.Create'),
      })
      return c.json(created, 200)
    })
    .openapi(renameCall, async (c) => {
      const { id } = c.req.valid('param')
      const { name } = c.req.valid('json')
      const audit = beginAccountAudit(c, 'Account.Passkey.Update', { passkeyId: id })
      return c.json(await renameOwnPasskey(dependencies, { ...accountCallContext(c), id, name, audit }), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const audit = beginAccountAudit(c, 'Account.Passkey.Delete', { passkeyId: id })
      await removeOwnPasskey(dependencies, { ...accountCallContext(c), id, audit })
      return c.body(null, 204)
    })
}
