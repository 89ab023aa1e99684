import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import {
  addOwnPasskey,
  listOwnPasskeys,
  ownPasskeyCreationOptions,
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
import { jsonAnswer, jsonBody } from '../guard.ts'
import { accountRouter, beginAccountAudit, callerOf, declareAccountCall, NEEDS_STEP_UP } from './router.ts'

const Passkey = PasskeySchema.meta({ id: 'Passkey' })
const params = z.object({ id: CredentialId })

const listCall = declareAccountCall({
  method: 'get',
  path: '/',
  summary: 'List my passkeys',
  description:
    'Answers the passkeys of the signed-in user, the oldest first: their names, when they were created and used, and whether they are synced to other devices. Needs the scope `profile`.',
  answers: { 200: jsonAnswer('All passkeys', z.array(Passkey)) },
})
const optionsCall = declareAccountCall({
  method: 'post',
  path: '/options',
  summary: 'Begin to create a passkey',
  request: { body: { ...jsonBody(PasskeyPurpose), required: false } },
  description: `Answers the options with which the browser creates a passkey (\`PublicKeyCredentialCreationOptionsJSON\`); the page of the application has to be one to which the browser allows the domain of the tenant. With the \`purpose\` \`secondFactor\` a security key without a PIN will do, which adds to another proof and signs nobody in by itself. ${NEEDS_STEP_UP} Refused with 422 \`user.sign_in_method_not_enabled\` where passkeys are not enabled, and with 422 \`passkey.limit_reached\`.`,
  answers: { 200: jsonAnswer('The options of the browser', PasskeyCreationOptions) },
  refusals: [422],
})
const createCall = declareAccountCall({
  method: 'post',
  path: '/',
  summary: 'Create a passkey',
  description: `Keeps the passkey that the browser has created with these options, under the name of its authenticator where that is known. The user is told by a message. ${NEEDS_STEP_UP} What does not fit is refused with 422 \`passkey.verification_failed\`, a passkey that is known with 422 \`passkey.already_registered\`.`,
  request: { body: jsonBody(PasskeyAttestationSchema) },
  answers: { 200: jsonAnswer('The passkey', Passkey) },
  refusals: [409, 422],
})
const renameCall = declareAccountCall({
  method: 'patch',
  path: '/{id}',
  summary: 'Rename one of my passkeys',
  description:
    'Gives a passkey of the signed-in user another name. The user is told by a message, once in ten minutes. Needs the scope `profile`. A passkey of another user is 404 `entity.not_found`.',
  request: { params, body: jsonBody(PasskeyPatch) },
  answers: { 200: jsonAnswer('The renamed passkey', Passkey) },
  refusals: [404],
})
const deleteCall = declareAccountCall({
  method: 'delete',
  path: '/{id}',
  summary: 'Remove one of my passkeys',
  description: `Removes a passkey, with which the user can no longer sign in; sessions go on. The user is told by a message. ${NEEDS_STEP_UP} The last way to sign in is kept (422 \`user.last_sign_in_method\`). A passkey of another user is 404 \`entity.not_found\`.`,
  request: { params },
  answers: { 204: { description: 'Removed' } },
  refusals: [404, 422],
})

export function accountPasskeyRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile', 'passkeys')
    .openapi(listCall, async (c) => c.json(await listOwnPasskeys(dependencies, callerOf(c)), 200))
    .openapi(optionsCall, async (c) => {
      const { purpose = 'signIn' } = c.req.valid('json')
      return c.json(await ownPasskeyCreationOptions(dependencies, { ...callerOf(c), purpose }), 200)
    })
    .openapi(createCall, async (c) => {
      const created = await addOwnPasskey(dependencies, {
        ...callerOf(c),
        attestation: c.req.valid('json'),
        // Of an application whose origin is allowed, or of our own pages.
        origin: c.req.header('origin') ?? new URL(c.req.url).origin,
        audit: beginAccountAudit(c, 'Account.Passkey.Create'),
      })
      return c.json(created, 200)
    })
    .openapi(renameCall, async (c) => {
      const { id } = c.req.valid('param')
      const { name } = c.req.valid('json')
      const audit = beginAccountAudit(c, 'Account.Passkey.Update', { passkeyId: id })
      return c.json(await renameOwnPasskey(dependencies, { ...callerOf(c), id, name, audit }), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const audit = beginAccountAudit(c, 'Account.Passkey.Delete', { passkeyId: id })
      await removeOwnPasskey(dependencies, { ...callerOf(c), id, audit })
      return c.body(null, 204)
    })
}
