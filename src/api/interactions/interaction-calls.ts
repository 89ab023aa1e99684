import { z } from 'zod'
import { ID_LENGTH } from '../../contract/ids.ts'
import {
  FirstIdentifierSchema,
  InteractionEventSchema,
  ProfileSchema,
  ProofPayloadSchema,
} from '../../contract/interactions/identifiers.schema.ts'
import { identifierTypes } from '../../contract/interactions/identifiers.ts'
import { NavigationStateBody } from '../../contract/interactions/interaction.schema.ts'
import { consentDecisions } from '../../contract/interactions/interaction.ts'
import { PasskeysAfterSubmitSchema } from '../../contract/passkeys/passkeys.schema.ts'
import { passkeyAbilities } from '../../contract/passkeys/passkeys.ts'
import { jsonBody, jsonResponse } from '../guard.ts'
import { declareCall, done, nextUrl } from './declare-call.ts'

/** Declares the calls that the sign-in pages make (spec/interaction#calls). */

export const startCall = declareCall({
  method: 'put',
  path: '/',
  operationId: 'startInteraction',
  summary: 'Start or restart an interaction',
  description:
    'Begins a sign-in, a registration or a password reset. Replaces the whole interaction with an event ' +
    'and, optionally, a first identifier and a profile; earlier proofs are discarded. Responds with 403 ' +
    '`auth.forbidden` if the sign-in mode excludes the event; an identifier is rejected as in `PATCH ' +
    '/interaction/identifiers`.',
  request: {
    body: jsonBody(
      z
        .object({
          event: InteractionEventSchema,
          identifier: FirstIdentifierSchema.optional(),
          profile: ProfileSchema.optional(),
        })
        .meta({ id: 'InteractionStart' }),
    ),
  },
  responses: done,
  refusals: [401, 404, 422, 429],
})
export const cancelCall = declareCall({
  method: 'delete',
  path: '/',
  operationId: 'cancelInteraction',
  summary: 'Cancel the interaction',
  description:
    'Ends the interaction without a sign-in. Returns the URL that takes the browser back to the ' +
    'application with an error (`oidc.aborted`); nothing can be added to the interaction afterwards.',
  responses: nextUrl,
  refusals: [404],
})
export const eventCall = declareCall({
  method: 'put',
  path: '/event',
  operationId: 'updateInteractionEvent',
  summary: 'Change the event',
  description:
    'Turns a sign-in into a registration or the reverse; proofs and profile are kept. A password reset ' +
    'cannot be changed. Responds with 403 `auth.forbidden` if the sign-in mode excludes the event, and ' +
    'with 404 `session.verification_session_not_found` if no interaction has been started.',
  request: {
    body: jsonBody(z.object({ event: InteractionEventSchema }).meta({ id: 'InteractionEventChange' })),
  },
  responses: done,
  refusals: [404],
})
export const navigationStateCall = declareCall({
  method: 'put',
  path: '/step',
  operationId: 'setInteractionStep',
  summary: 'Set the navigation state',
  description:
    'Stores what the next page needs, such as the address a code was sent to, in a sealed cookie for ten ' +
    'minutes, and replaces the previous state. It proves nothing: submit does not read it.',
  request: { body: jsonBody(NavigationStateBody) },
  responses: done,
})
export const identifierCall = declareCall({
  method: 'patch',
  path: '/identifiers',
  operationId: 'addInteractionProof',
  summary: 'Add a proof',
  description:
    'Verifies an identifier by a password, a verification code, the response of a social provider or a ' +
    'passkey, or a second factor by a one-time code, a backup code, a code sent to the account or a ' +
    'security key, and adds the proof to the interaction. It replaces an earlier proof of the same kind. ' +
    'A wrong password is rejected with 422 `session.invalid_credentials`, a wrong code with 400 ' +
    '`verification_code.*`, an unknown or unsuitable passkey with 422 `passkey.*`, a wrong second factor ' +
    'with 422 `session.invalid_second_factor`, and too many attempts with 429. Only submit signs the ' +
    'user in.',
  request: { body: jsonBody(ProofPayloadSchema) },
  responses: done,
  refusals: [401, 404, 422, 429],
})
const accountParam = z.object({ id: z.string().max(ID_LENGTH) })

export const openAccountCall = declareCall({
  method: 'post',
  path: '/accounts/{id}',
  operationId: 'continueWithRememberedAccount',
  summary: 'Continue with a remembered account',
  description:
    'Returns the masked identifier of an account that this browser remembers, and in `account` the ' +
    'identifier itself, sealed for this interaction. It proves nothing: a password or a code follows, in ' +
    'a call with `account` in place of the identifier. Responds with 404 `entity.not_found` if the browser ' +
    'does not remember the account or the account has ended, which the browser then forgets.',
  request: { params: accountParam },
  responses: {
    200: jsonResponse(
      'The masked and the sealed identifier',
      z
        .object({ type: z.enum(identifierTypes), value: z.string(), account: z.string() })
        .meta({ id: 'RememberedIdentifier' }),
    ),
  },
  refusals: [404],
})
export const forgetAccountCall = declareCall({
  method: 'delete',
  path: '/accounts/{id}',
  operationId: 'forgetRememberedAccount',
  summary: 'Forget a remembered account',
  description:
    'Removes an account from those that this browser remembers. The account itself does not change.',
  request: { params: accountParam },
  responses: done,
})
export const profileCall = (method: 'put' | 'patch') =>
  declareCall({
    method,
    path: '/profile',
    operationId: method === 'put' ? 'replaceInteractionProfile' : 'updateInteractionProfile',
    summary: method === 'put' ? 'Replace the profile' : 'Extend the profile',
    description:
      method === 'put'
        ? 'Replaces the values that the account is to have: identifiers, a social identity, a password. ' +
          'Whether they are verified and available is checked at submit. A password that breaks the policy is ' +
          'rejected with 400 `guard.invalid_input`, and too many passwords from one network with 429.'
        : 'Merges values that the account is to have into the profile, key by key; other values stay. Whether ' +
          'they are verified and available is checked at submit. Too many passwords from one network are ' +
          'rejected with 429.',
    request: { body: jsonBody(ProfileSchema) },
    responses: done,
    refusals: [404, 422, 429],
  })
export const deleteProfileCall = declareCall({
  method: 'delete',
  path: '/profile',
  operationId: 'deleteInteractionProfile',
  summary: 'Delete the profile',
  description:
    'Removes every value that was entered for the account, and a social sign-in that was started but not ' +
    'completed. Proofs are kept.',
  responses: done,
  refusals: [404],
})
const SubmitBody = z
  .object({
    putsOffSecondFactor: z.boolean().optional(),
    agreesToTerms: z.boolean().optional(),
    remembersBrowser: z.boolean().optional(),
    passkeyAbilities: z.array(z.enum(passkeyAbilities)).max(passkeyAbilities.length).optional(),
  })
  .meta({ id: 'InteractionSubmission' })

export const submitCall = declareCall({
  method: 'post',
  path: '/submit',
  operationId: 'submitInteraction',
  summary: 'Submit the interaction',
  description:
    'Signs the user in, registers an account or sets the new password, as the proofs and the profile ' +
    'allow. Responds with 200 and the next URL after a sign-in or a registration, and with 204 after ' +
    'a password reset, which also ends all sessions of the user. The next URL is that of the application, ' +
    'with the code, unless a consent or another step follows; it may have the scheme of an app. Errors: 409 ' +
    '`session.already_submitted` for a repeated submit, 422 `user.missing_profile` ' +
    'names what the account still lacks, 422 `user.second_factor_required` names the second `factors` ' +
    'that can prove the account, best first (if that is `phone` or `email`, this call also sends the ' +
    'first code of the interaction, within the limits of requested codes), 422 ' +
    '`user.second_factor_missing` means that the account must set one up, 422 `user.unusual_sign_in` ' +
    'means that the policy `adaptive` considers the sign-in unusual and the account has nothing to prove ' +
    'it with, 422 `user.terms_not_agreed` means that the user has to ' +
    'agree to the terms first, and 429 means too many registrations or rejected submits from one network. ' +
    '`agreesToTerms: true` states that the user agrees to the terms. `putsOffSecondFactor: true` skips ' +
    'the setup of a second factor, if the error contained `putOffsLeft`. `remembersBrowser` asks for ' +
    'no second factor in this browser for the number of days in the setting `secondFactor.rememberDays`, ' +
    'once a second factor has been proved or set up. If submit is rejected, the interaction keeps these ' +
    'three values. To a browser that sends its `passkeyAbilities`, the response may say what to do with ' +
    'passkeys before it goes on (`passkeys`). Hooks are called after the response.',
  request: {
    body: { ...jsonBody(SubmitBody), required: false },
  },
  responses: {
    200: jsonResponse(
      'The address to which the browser goes next',
      z
        .object({ redirectTo: z.string(), passkeys: PasskeysAfterSubmitSchema.optional() })
        .meta({ id: 'SubmissionResult' }),
    ),
    ...done,
  },
  refusals: [401, 404, 409, 422, 429],
})
export const consentCall = declareCall({
  method: 'post',
  path: '/consent',
  operationId: 'submitConsent',
  summary: 'Consent to the request of the application',
  description:
    'Grants an application the scopes that it requested, on behalf of the signed-in user, and returns ' +
    'the URL that takes the browser back to it. A third-party application needs the `decision` of ' +
    'the user, `allow` or `deny`; `deny` returns `access_denied` to the application. Without a decision, ' +
    'the response is 400 `guard.invalid_input`. Responds with 400 `session.not_found` or 404 if the ' +
    'interaction is not waiting for consent, and with 404 if a client that registered itself has changed ' +
    'its authentication method or redirect URIs since the page was opened.',
  request: {
    body: {
      ...jsonBody(
        z.object({ decision: z.enum(consentDecisions).optional() }).meta({ id: 'ConsentDecision' }),
      ),
      required: false,
    },
  },
  responses: nextUrl,
  refusals: [404],
})

export const organizationCall = declareCall({
  method: 'post',
  path: '/organization',
  operationId: 'chooseInteractionOrganization',
  summary: 'Choose an organization',
  description:
    'Chooses for which organization the signed-in user acts in the application, or `personal` for none, and ' +
    'returns the URL that takes the browser on. Responds with 403 `organization.not_member` if the user is not a ' +
    'member, or if the application requires an organization, and with 400 `session.not_found` or 404 if the ' +
    'interaction does not ask for an organization.',
  request: {
    body: jsonBody(
      z.object({ organizationId: z.string().max(ID_LENGTH) }).meta({ id: 'OrganizationSelection' }),
    ),
  },
  responses: nextUrl,
  refusals: [404],
})
