import { createRoute, z } from '@hono/zod-openapi'
import {
  CodeRequest,
  IdentifierPayloadSchema,
  InteractionEventSchema,
  ProfileSchema,
  SocialAuthorizationRequest,
} from '../contract/identifiers.schema.ts'
import { StepBody } from '../contract/interaction.schema.ts'
import { consentDecisions } from '../contract/interaction.ts'
import { declaredRefusals, jsonAnswer, jsonBody } from './guard.ts'

/** The declarations of the calls behind the sign-in pages (spec/interaction#calls). */

const tags = ['Interaction']
const done = { 204: { description: 'Done' } }
const onward = {
  200: jsonAnswer('The address to which the browser goes next', z.object({ redirectTo: z.string() })),
}

export const startCall = createRoute({
  method: 'put',
  path: '/',
  tags,
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
  responses: { ...done, ...declaredRefusals(400, 401, 403, 404, 422, 429) },
})
export const cancelCall = createRoute({
  method: 'delete',
  path: '/',
  tags,
  summary: 'Cancel the interaction',
  description:
    'Ends the interaction without a sign-in. Answers the address at which the browser returns to the application with an error (`oidc.aborted`); nothing can be added afterwards.',
  responses: { ...onward, ...declaredRefusals(400, 403, 404) },
})
export const eventCall = createRoute({
  method: 'put',
  path: '/event',
  tags,
  summary: 'Change the event',
  description:
    'Turns a sign-in into a registration or the reverse; proofs and profile are kept. A password reset cannot be changed, and an event that the sign-in mode excludes is refused with 403 ' +
    '`auth.forbidden`. Without a started interaction the answer is 404 `session.verification_session_not_found`.',
  request: { body: jsonBody(z.object({ event: InteractionEventSchema })) },
  responses: { ...done, ...declaredRefusals(400, 403, 404) },
})
export const navigationStateCall = createRoute({
  method: 'put',
  path: '/step',
  tags,
  summary: 'Set the navigation state',
  description:
    'Stores what the next page needs, such as the address a code was sent to, in a sealed cookie for ten minutes, and replaces the previous state. It proves nothing: submit does not read it.',
  request: { body: jsonBody(StepBody) },
  responses: { ...done, ...declaredRefusals(400, 403) },
})
export const identifierCall = createRoute({
  method: 'patch',
  path: '/identifiers',
  tags,
  summary: 'Add a proof',
  description:
    'Verifies an identifier by a password, a verification code or the answer of a social provider, and adds it to the interaction. ' +
    'A proof of the same kind is replaced. A wrong password is refused with 422 `session.invalid_credentials`, a wrong code with 400 `verification_code.*`, too many attempts with 429. The user is signed in by submit alone.',
  request: { body: jsonBody(IdentifierPayloadSchema) },
  responses: { ...done, ...declaredRefusals(400, 401, 403, 404, 422, 429) },
})
export const codeCall = createRoute({
  method: 'post',
  path: '/verification/verification-code',
  tags,
  summary: 'Send a verification code',
  description:
    'Sends a code to an e-mail address or phone number, for the event of the interaction. The answer does not depend on whether ' +
    'an account exists. Codes that were sent for this interaction before become invalid. A phone number of a country that the tenant does not list is refused with 422, too many codes with 429, a failure of the provider with `connector.*`.',
  request: { body: jsonBody(CodeRequest) },
  responses: { ...done, ...declaredRefusals(400, 401, 403, 404, 422, 429, 501) },
})
export const socialUriCall = createRoute({
  method: 'post',
  path: '/verification/social-authorization-uri',
  tags,
  summary: 'Start a social sign-in',
  description:
    'Answers the address of the social provider at which the user signs in, and stores `state` and what else the answer of the provider is checked against. An earlier start that was not completed is ' +
    'dropped. An unknown connector is refused with 404 `entity.not_found`.',
  request: { body: jsonBody(SocialAuthorizationRequest) },
  responses: { ...onward, ...declaredRefusals(400, 401, 403, 404, 501) },
})
export const profileCall = (method: 'put' | 'patch') =>
  createRoute({
    method,
    path: '/profile',
    tags,
    summary: method === 'put' ? 'Replace the profile' : 'Extend the profile',
    description:
      method === 'put'
        ? 'Replaces the values that the account is to have: identifiers, a social identity, a password. A password that breaks the policy is refused with 400 `guard.invalid_input`; whether the values are proved and ' +
          'free is checked at submit.'
        : 'Merges values that the account is to have into the profile, key by key. What was given before stays; whether the values are proved and free is checked at submit.',
    request: { body: jsonBody(ProfileSchema) },
    responses: { ...done, ...declaredRefusals(400, 403, 404, 422) },
  })
export const dropProfileCall = createRoute({
  method: 'delete',
  path: '/profile',
  tags,
  summary: 'Delete the profile',
  description:
    'Removes every value that was given for the account, and a social sign-in that was started and not completed. Proofs are kept.',
  responses: { ...done, ...declaredRefusals(400, 403, 404) },
})
export const submitCall = createRoute({
  method: 'post',
  path: '/submit',
  tags,
  summary: 'Submit the interaction',
  description:
    'Signs the user in, registers an account or sets the new password, as the proofs and the profile allow. Answers 200 with the next address after a sign-in or a registration, 204 after a password reset, ' +
    'which also ends all sessions of the user. 422 `user.missing_profile` names what the account still lacks, 422 `user.terms_not_agreed` that the user has to agree to the terms first, 429 too many registrations or refused submits from one network. ' +
    'A submit with `agreesToTerms: true` states the agreement; when it is refused, the interaction keeps that. Hooks are called after the answer.',
  request: {
    body: { ...jsonBody(z.object({ agreesToTerms: z.boolean().optional() })), required: false },
  },
  responses: { ...onward, ...done, ...declaredRefusals(400, 401, 403, 404, 422, 429) },
})
export const consentCall = createRoute({
  method: 'post',
  path: '/consent',
  tags,
  summary: 'Consent to the request of the application',
  description:
    'Grants an application the scopes that it requested, in the name of the signed-in user, and answers the address at which the browser returns to it. An application of a third party needs the `decision` of the user, ' +
    '`allow` or `deny`, which returns `access_denied` to the application; without it the answer is 400 `guard.invalid_input`. Refused when the interaction does not wait for a consent (400 `session.not_found` or 404).',
  request: {
    body: { ...jsonBody(z.object({ decision: z.enum(consentDecisions).optional() })), required: false },
  },
  responses: { ...onward, ...declaredRefusals(400, 403, 404) },
})
