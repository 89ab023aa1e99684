import {
  PasskeyAttestationSchema,
  PasskeyCreationOptions,
  PasskeyCreationRequest,
  PasskeySchema,
} from '../../contract/passkeys/passkeys.schema.ts'
import { jsonBody, jsonResponse } from '../guard.ts'
import { declareCall, done } from './declare-call.ts'

/** Declares the calls that create a passkey after a sign-in (spec/accounts#passkey-offer). */

export const newPasskeyOptionsCall = declareCall({
  method: 'post',
  path: '/passkeys/options',
  operationId: 'beginInteractionPasskey',
  summary: 'Begin to create a passkey after a sign-in',
  description:
    'Returns the options with which the browser creates a passkey ' +
    '(`PublicKeyCredentialCreationOptionsJSON`) for the user who has just signed in or registered. This ' +
    'works for ten minutes, before the browser goes on to the application. `conditional` is for ' +
    'conditional mediation, which asks the user nothing. Both kinds are rejected with 403 ' +
    '`auth.forbidden` if the account has a second factor and the sign-in was proved by only one factor; ' +
    '`conditional` also if no password was used, if the user has a passkey, if a policy would request ' +
    'the passkey as a second factor, or if the application requested a recent or strong proof. Responds ' +
    'with 404 `session.verification_session_not_found` if no sign-in was completed, and with 422 ' +
    '`user.sign_in_method_not_enabled` if passkeys are not offered.',
  request: { body: jsonBody(PasskeyCreationRequest) },
  responses: { 200: jsonResponse('The options for the browser', PasskeyCreationOptions) },
  refusals: [404, 422],
})
export const newPasskeyCall = declareCall({
  method: 'post',
  path: '/passkeys',
  operationId: 'createInteractionPasskey',
  summary: 'Create a passkey after a sign-in',
  description:
    'Stores the passkey that the browser has created with these options, one for each sign-in. User ' +
    'presence and verification may be missing only if the options were `conditional`. The user is ' +
    'notified by a message. An unsuitable response is rejected with 422 `passkey.verification_failed`, ' +
    'and a passkey that is already registered with 422 `passkey.already_registered`.',
  request: { body: jsonBody(PasskeyAttestationSchema) },
  responses: {
    200: jsonResponse(
      'The name of the new passkey, if its provider is known',
      PasskeySchema.pick({ name: true }).meta({ id: 'PasskeyName' }),
    ),
  },
  refusals: [404, 409, 422],
})
export const deferPasskeyCall = declareCall({
  method: 'post',
  path: '/passkeys/put-off',
  operationId: 'postponeInteractionPasskey',
  summary: 'Postpone creating a passkey',
  description:
    'Records that the user who has just signed in does not want a passkey now: the next offer comes ' +
    'after thirty days, and none after the third time.',
  responses: done,
  refusals: [404, 422],
})
