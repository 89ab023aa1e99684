import { z } from 'zod'
import {
  CodeRequest,
  FactorCodeRequest,
  IdentifierPayloadSchema,
  InteractionEventSchema,
  ProfileSchema,
  ProofPayloadSchema,
  SocialAuthorizationRequest,
  TotpCode,
} from '../../contract/interactions/identifiers.schema.ts'
import { NavigationStateBody } from '../../contract/interactions/interaction.schema.ts'
import { consentDecisions } from '../../contract/interactions/interaction.ts'
import {
  PasskeyAttestationSchema,
  PasskeyCreationOptions,
  PasskeyCreationRequest,
  PasskeyRequestOptions,
  PasskeysAfterSubmitSchema,
  SecurityKeyRequestOptions,
} from '../../contract/passkeys/passkeys.schema.ts'
import { passkeyAbilities } from '../../contract/passkeys/passkeys.ts'
import { callsOf, jsonAnswer, jsonBody } from '../guard.ts'

/** The declarations of the calls behind the sign-in pages (spec/interaction#calls). */

const declareCall = callsOf({ tags: ['Interaction'] }, { always: [400, 403] })

const done = { 204: { description: 'Done' } }
const nextUrl = {
  200: jsonAnswer('The address to which the browser goes next', z.object({ redirectTo: z.string() })),
}

export const startCall = declareCall({
  method: 'put',
  path: '/',
  summary: 'Start an interaction, or start it again',
  description:
    'Begins a sign-in, a registration or a password reset: replaces the whole record of the interaction with an event, and optionally a first identifier and a profile. Earlier proofs are dropped. ' +
    'An event that the sign-in mode excludes is refused with 403 `auth.forbidden`; an identifier is refused as in `PATCH /interaction/identifiers`.',
  request: {
    body: jsonBody(
      z.object({
        event: InteractionEventSchema,
        identifier: IdentifierPayloadSchema.optional(),
        profile: ProfileSchema.optional(),
      }),
    ),
  },
  answers: done,
  refusals: [401, 404, 422, 429],
})
export const cancelCall = declareCall({
  method: 'delete',
  path: '/',
  summary: 'Cancel the interaction',
  description:
    'Ends the interaction without a sign-in. Answers the address at which the browser returns to the application with an error (`oidc.aborted`); nothing can be added afterwards.',
  answers: nextUrl,
  refusals: [404],
})
export const eventCall = declareCall({
  method: 'put',
  path: '/event',
  summary: 'Change the event',
  description:
    'Turns a sign-in into a registration or the reverse; proofs and profile are kept. A password reset cannot be changed, and an event that the sign-in mode excludes is refused with 403 ' +
    '`auth.forbidden`. Without a started interaction the answer is 404 `session.verification_session_not_found`.',
  request: { body: jsonBody(z.object({ event: InteractionEventSchema })) },
  answers: done,
  refusals: [404],
})
export const navigationStateCall = declareCall({
  method: 'put',
  path: '/step',
  summary: 'Set the navigation state',
  description:
    'Stores what the next page needs, such as the address a code was sent to, in a sealed cookie for ten minutes, and replaces the previous state. It proves nothing: submit does not read it.',
  request: { body: jsonBody(NavigationStateBody) },
  answers: done,
})
export const identifierCall = declareCall({
  method: 'patch',
  path: '/identifiers',
  summary: 'Add a proof',
  description:
    'Verifies an identifier by a password, a verification code, the answer of a social provider or a passkey, or a second factor by a one-time code, a backup code, a code that was sent to the account or a security key, and adds it to the interaction. ' +
    'A proof of the same kind is replaced. A wrong password is refused with 422 `session.invalid_credentials`, a wrong code with 400 `verification_code.*`, a passkey that is unknown or does not fit with 422 `passkey.*`, a wrong second factor with 422 `session.invalid_second_factor`, too many attempts with 429. The user is signed in by submit alone.',
  request: { body: jsonBody(ProofPayloadSchema) },
  answers: done,
  refusals: [401, 404, 422, 429],
})
export const codeCall = declareCall({
  method: 'post',
  path: '/verification/verification-code',
  summary: 'Send a verification code',
  description:
    'Sends a code to an e-mail address or phone number, for the event of the interaction. The answer does not depend on whether ' +
    'an account exists. Codes that were sent for this interaction before become invalid. A phone number of a country that the tenant does not list is refused with 422, too many codes with 429, a failure of the provider with `connector.*`.',
  request: { body: jsonBody(CodeRequest) },
  answers: done,
  refusals: [401, 404, 422, 429, 501],
})
export const beginTotpCall = declareCall({
  method: 'post',
  path: '/factors/totp',
  summary: 'Begin to set up an authenticator app',
  description:
    'Answers a new secret, as text and as the address that a QR code says, and keeps it in the interaction. For an account that a submit has named, or one that is being registered; ' +
    'a tenant whose policy is `off` is refused with 422 `user.sign_in_method_not_enabled`.',
  answers: { 200: jsonAnswer('The secret', z.object({ secret: z.string(), address: z.string() })) },
  refusals: [404, 422],
})
export const proveTotpCall = declareCall({
  method: 'put',
  path: '/factors/totp',
  summary: 'Prove the authenticator app',
  description:
    'Takes a code of the app that is being set up, and answers ten backup codes, which are shown this once. The submit writes both. A wrong code is refused with 422 `session.invalid_second_factor`; ' +
    'without a secret the answer is 404 `session.verification_session_not_found`.',
  request: { body: jsonBody(TotpCode) },
  answers: { 200: jsonAnswer('The backup codes', z.object({ backupCodes: z.array(z.string()) })) },
  refusals: [404, 422],
})
export const factorCodeCall = declareCall({
  method: 'post',
  path: '/factors/code',
  summary: 'Send a code as second factor',
  description:
    'Sends a code to the verified e-mail address or phone number of the account that a submit has named, and answers it masked. The code is the identifier `emailCode` or `phoneCode` of `PATCH /interaction/identifiers`. ' +
    'Refused with 422 `user.sign_in_method_not_enabled` where the tenant does not take the factor, the account has no such address or the address was the first proof of this sign-in; too many codes with 429, a failure of the provider with `connector.*`.',
  request: { body: jsonBody(FactorCodeRequest) },
  answers: { 200: jsonAnswer('Where the code was sent', z.object({ sentTo: z.string() })) },
  refusals: [401, 404, 422, 429, 501],
})
export const securityKeyOptionsCall = declareCall({
  method: 'post',
  path: '/factors/passkey-options',
  summary: 'Ask for a passkey or security key as second factor',
  description:
    'Answers the options with which the browser asks for a passkey or a security key of the account that a submit has named (`PublicKeyCredentialRequestOptionsJSON`), without user verification. The challenge counts for this interaction and once; ' +
    'the answer of the browser is the identifier `securityKey` of `PATCH /interaction/identifiers`. Refused with 422 `user.sign_in_method_not_enabled` where the tenant does not take passkeys as second factors.',
  answers: { 200: jsonAnswer('The options of the browser', SecurityKeyRequestOptions) },
  refusals: [404, 422],
})
export const socialUriCall = declareCall({
  method: 'post',
  path: '/verification/social-authorization-uri',
  summary: 'Start a social sign-in',
  description:
    'Answers the address of the social provider at which the user signs in, and stores `state` and what else the answer of the provider is checked against. An earlier start that was not completed is ' +
    'dropped. An unknown connector is refused with 404 `entity.not_found`.',
  request: { body: jsonBody(SocialAuthorizationRequest) },
  answers: nextUrl,
  refusals: [401, 404, 501],
})
export const passkeyOptionsCall = declareCall({
  method: 'post',
  path: '/verification/passkey-options',
  summary: 'Ask for a passkey',
  description:
    'Answers the options with which the browser asks its user for a passkey (`PublicKeyCredentialRequestOptionsJSON`): any passkey of the domain of the tenant, with user verification. The challenge counts for this interaction and once; ' +
    'the answer of the browser is an identifier `passkey` of `PATCH /interaction/identifiers`. Refused with 422 `user.sign_in_method_not_enabled` where passkeys are not enabled.',
  answers: { 200: jsonAnswer('The options of the browser', PasskeyRequestOptions) },
  refusals: [404, 422],
})
export const profileCall = (method: 'put' | 'patch') =>
  declareCall({
    method,
    path: '/profile',
    summary: method === 'put' ? 'Replace the profile' : 'Extend the profile',
    description:
      method === 'put'
        ? 'Replaces the values that the account is to have: identifiers, a social identity, a password. A password that breaks the policy is refused with 400 `guard.invalid_input`; whether the values are proved and ' +
          'free is checked at submit. Too many passwords of one network are refused with 429.'
        : 'Merges values that the account is to have into the profile, key by key. What was given before stays; whether the values are proved and free is checked at submit. Too many passwords of one network are refused with 429.',
    request: { body: jsonBody(ProfileSchema) },
    answers: done,
    refusals: [404, 422, 429],
  })
export const dropProfileCall = declareCall({
  method: 'delete',
  path: '/profile',
  summary: 'Delete the profile',
  description:
    'Removes every value that was given for the account, and a social sign-in that was started and not completed. Proofs are kept.',
  answers: done,
  refusals: [404],
})
const SubmitBody = z.object({
  putsOffSecondFactor: z.boolean().optional(),
  agreesToTerms: z.boolean().optional(),
  remembersBrowser: z.boolean().optional(),
  passkeyAbilities: z.array(z.enum(passkeyAbilities)).max(passkeyAbilities.length).optional(),
})

export const submitCall = declareCall({
  method: 'post',
  path: '/submit',
  summary: 'Submit the interaction',
  description:
    'Signs the user in, registers an account or sets the new password, as the proofs and the profile allow. Answers 200 with the next address after a sign-in or a registration, 204 after a password reset, ' +
    'which also ends all sessions of the user. 422 `user.missing_profile` names what the account still lacks, 422 `user.second_factor_required` which second `factors` the account may be proved by, 422 `user.second_factor_missing` that it must set one up, 422 `user.unusual_sign_in` that the policy `adaptive` finds the sign-in unusual and the account has nothing to prove it by, 422 `user.terms_not_agreed` that the user has to agree to the terms first, 429 too many registrations or refused submits from one network. ' +
    'A submit with `agreesToTerms: true` states the agreement, and one with `putsOffSecondFactor: true` that no second factor is to be set up now, which counts where the refusal had `putOffsLeft`; when it is refused, the interaction keeps both, and likewise `remembersBrowser`: where a second factor was proved or set up, it is not asked for in this browser again for the days of the setting `secondFactor.rememberDays`. A browser that states what it can do about passkeys (`passkeyAbilities`) may be answered what to do before it goes on (`passkeys`). Hooks are called after the answer.',
  request: {
    body: { ...jsonBody(SubmitBody), required: false },
  },
  answers: {
    200: jsonAnswer(
      'The address to which the browser goes next',
      z.object({ redirectTo: z.string(), passkeys: PasskeysAfterSubmitSchema.optional() }),
    ),
    ...done,
  },
  refusals: [401, 404, 422, 429],
})
export const newPasskeyOptionsCall = declareCall({
  method: 'post',
  path: '/passkeys/options',
  summary: 'Begin to create a passkey after a sign-in',
  description:
    'Answers the options with which the browser creates a passkey (`PublicKeyCredentialCreationOptionsJSON`) for the user who has just signed in or registered, before it goes on to the application and for ten minutes. `conditional` is for conditional mediation: without a question to the user. Both are refused with 403 `auth.forbidden` where the account has a second factor and the sign-in was proved by one factor; `conditional` also where no password was used, where the user has a passkey, where a policy would ask for the passkey as a second factor, and where the application asked for a recent or a strong proof. Without a finished sign-in the answer is 404 `session.verification_session_not_found`, where passkeys are not offered 422 `user.sign_in_method_not_enabled`.',
  request: { body: jsonBody(PasskeyCreationRequest) },
  answers: { 200: jsonAnswer('The options of the browser', PasskeyCreationOptions) },
  refusals: [404, 422],
})
export const newPasskeyCall = declareCall({
  method: 'post',
  path: '/passkeys',
  summary: 'Create a passkey after a sign-in',
  description:
    'Keeps the passkey that the browser has created with these options: one for each sign-in. User presence and verification may be missing where the options were `conditional`, and nowhere else. The user is told by a message. What does not fit is refused with 422 `passkey.verification_failed`, a passkey that is known with 422 `passkey.already_registered`.',
  request: { body: jsonBody(PasskeyAttestationSchema) },
  answers: done,
  refusals: [404, 409, 422],
})
export const deferPasskeyCall = declareCall({
  method: 'post',
  path: '/passkeys/put-off',
  summary: 'Put off to create a passkey',
  description:
    'Remembers that the user who has just signed in does not want a passkey now: the next offer comes after thirty days, and none after the third time.',
  answers: done,
  refusals: [404, 422],
})
export const consentCall = declareCall({
  method: 'post',
  path: '/consent',
  summary: 'Consent to the request of the application',
  description:
    'Grants an application the scopes that it requested, in the name of the signed-in user, and answers the address at which the browser returns to it. An application of a third party needs the `decision` of the user, ' +
    '`allow` or `deny`, which returns `access_denied` to the application; without it the answer is 400 `guard.invalid_input`. Refused when the interaction does not wait for a consent (400 `session.not_found` or 404).',
  request: {
    body: { ...jsonBody(z.object({ decision: z.enum(consentDecisions).optional() })), required: false },
  },
  answers: nextUrl,
  refusals: [404],
})
