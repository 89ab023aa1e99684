import { z } from 'zod'
import { BackupCodesSchema } from '../../contract/factors/factors.schema.ts'
import {
  CodeRequest,
  FactorCodeRequest,
  SocialAuthorizationRequest,
  TotpCode,
} from '../../contract/interactions/identifiers.schema.ts'
import { PasskeyRequestOptions, SecurityKeyRequestOptions } from '../../contract/passkeys/passkeys.schema.ts'
import { jsonBody, jsonResponse } from '../guard.ts'
import { declareCall, done, nextUrl } from './declare-call.ts'

/**
 * Declares the calls that begin a proof: they send a code, set up a factor, or prepare a passkey or a social sign-in.
 */

export const codeCall = declareCall({
  method: 'post',
  path: '/verification/verification-code',
  operationId: 'sendInteractionCode',
  summary: 'Send a verification code',
  description:
    'Sends a code to an email address or phone number, for the event of the interaction. The response ' +
    'does not depend on whether an account exists. Codes sent earlier in this interaction become ' +
    'invalid. A phone number of a country that the tenant does not list is rejected with 422, too many ' +
    'codes with 429, and a failure of the provider with `connector.*`.',
  request: { body: jsonBody(CodeRequest) },
  responses: done,
  refusals: [401, 404, 422, 429, 501],
})
export const beginTotpEnrolmentCall = declareCall({
  method: 'post',
  path: '/factors/totp',
  operationId: 'beginInteractionTotp',
  summary: 'Begin to set up an authenticator app',
  description:
    'Returns a new secret, both as text and as the URI that a QR code encodes, and keeps it in the ' +
    'interaction, for an account that submit has identified or one that is being registered. Responds ' +
    'with 422 `user.sign_in_method_not_enabled` if the policy of the tenant is `off`.',
  responses: {
    200: jsonResponse(
      'The secret',
      z.object({ secret: z.string(), address: z.string() }).meta({ id: 'TotpSecret' }),
    ),
  },
  refusals: [404, 422],
})
export const verifyTotpCall = declareCall({
  method: 'put',
  path: '/factors/totp',
  operationId: 'verifyInteractionTotp',
  summary: 'Verify the authenticator app',
  description:
    'Verifies a code from the app that is being set up and returns ten backup codes, which are shown ' +
    'only once. Submit stores both. A wrong code is rejected with 422 `session.invalid_second_factor`. ' +
    'Responds with 404 `session.verification_session_not_found` if there is no secret.',
  request: { body: jsonBody(TotpCode) },
  responses: { 200: jsonResponse('The backup codes', BackupCodesSchema) },
  refusals: [404, 422],
})
export const factorCodeCall = declareCall({
  method: 'post',
  path: '/factors/code',
  operationId: 'sendInteractionFactorCode',
  summary: 'Send a code as a second factor',
  description:
    'Sends a code to the verified email address or phone number of the account that submit has ' +
    'identified, and returns the masked address. To prove it, send the code as the identifier ' +
    '`emailCode` or `phoneCode` to `PATCH /interaction/identifiers`. Responds with 422 ' +
    '`user.sign_in_method_not_enabled` if the tenant does not accept the factor, the account has no such ' +
    'address or the address was the first proof of this sign-in, with 429 after too many codes, and with ' +
    '`connector.*` if the provider fails.',
  request: { body: jsonBody(FactorCodeRequest) },
  responses: {
    200: jsonResponse(
      'The masked address to which the code was sent',
      z.object({ sentTo: z.string() }).meta({ id: 'CodeRecipient' }),
    ),
  },
  refusals: [401, 404, 422, 429, 501],
})
export const securityKeyOptionsCall = declareCall({
  method: 'post',
  path: '/factors/passkey-options',
  operationId: 'requestInteractionSecurityKey',
  summary: 'Request a passkey or security key as a second factor',
  description:
    'Returns the options with which the browser requests a passkey or security key of the account that ' +
    'submit has identified (`PublicKeyCredentialRequestOptionsJSON`), without user verification. The ' +
    'challenge is valid once and only for this interaction. Send the response of the browser as the ' +
    'identifier `securityKey` to `PATCH /interaction/identifiers`. Responds with 422 ' +
    '`user.sign_in_method_not_enabled` if the tenant does not accept passkeys as second factors.',
  responses: { 200: jsonResponse('The options for the browser', SecurityKeyRequestOptions) },
  refusals: [404, 422],
})
export const socialUriCall = declareCall({
  method: 'post',
  path: '/verification/social-authorization-uri',
  operationId: 'startSocialSignIn',
  summary: 'Start a social sign-in',
  description:
    'Returns the URL of the social provider at which the user signs in, and stores `state` and the ' +
    'other values against which the response of the provider is checked. An earlier start that was not ' +
    'completed is discarded. Responds with 404 `entity.not_found` if the connector is unknown.',
  request: { body: jsonBody(SocialAuthorizationRequest) },
  responses: nextUrl,
  refusals: [401, 404, 501],
})
export const passkeyOptionsCall = declareCall({
  method: 'post',
  path: '/verification/passkey-options',
  operationId: 'requestInteractionPasskey',
  summary: 'Request a passkey',
  description:
    'Returns the options with which the browser asks its user for a passkey ' +
    '(`PublicKeyCredentialRequestOptionsJSON`): any passkey for the domain of the tenant, with user ' +
    'verification. The challenge is valid once and only for this interaction. Send the response of the ' +
    'browser as the identifier `passkey` to `PATCH /interaction/identifiers`. Responds with 422 ' +
    '`user.sign_in_method_not_enabled` if passkeys are not enabled.',
  responses: { 200: jsonResponse('The options for the browser', PasskeyRequestOptions) },
  refusals: [404, 422],
})
