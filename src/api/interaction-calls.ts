import { createRoute, z } from '@hono/zod-openapi'
import {
  CodeRequest,
  IdentifierPayload,
  InteractionEvent,
  Profile,
  SocialAuthorizationRequest,
} from '../contract/identifiers.schema.ts'
import { StepBody } from '../contract/interaction.schema.ts'
import { answer, json, refusals } from './guard.ts'

/** The declarations of the calls behind the sign-in pages (spec/interaction#calls). */

const tags = ['Interaction']
const done = { 204: { description: 'Done' } }
const onward = {
  200: answer('The address to which the browser goes next', z.object({ redirectTo: z.string() })),
}

export const startCall = createRoute({
  method: 'put',
  path: '/',
  tags,
  summary: 'Start an interaction, or start it again',
  description:
    'Replaces the whole record with an event, and optionally a first identifier and a profile. Earlier proofs are dropped.',
  request: {
    body: json(
      z.object({
        event: InteractionEvent,
        identifier: IdentifierPayload.optional(),
        profile: Profile.optional(),
      }),
    ),
  },
  responses: { ...done, ...refusals(400, 401, 403, 404, 422, 429) },
})
export const cancelCall = createRoute({
  method: 'delete',
  path: '/',
  tags,
  summary: 'Cancel the interaction',
  description: 'Answers the address that takes the error `oidc.aborted` to the application.',
  responses: { ...onward, ...refusals(400, 403, 404) },
})
export const eventCall = createRoute({
  method: 'put',
  path: '/event',
  tags,
  summary: 'Change the event',
  description:
    'Turns a sign-in into a registration or the reverse. Proofs and profile are kept. A password reset cannot be changed.',
  request: { body: json(z.object({ event: InteractionEvent })) },
  responses: { ...done, ...refusals(400, 403, 404) },
})
export const navigationStateCall = createRoute({
  method: 'put',
  path: '/step',
  tags,
  summary: 'Set the navigation state',
  description:
    'Stores what the next page needs in a sealed cookie for ten minutes. Replaces the previous state.',
  request: { body: json(StepBody) },
  responses: { ...done, ...refusals(400, 403) },
})
export const identifierCall = createRoute({
  method: 'patch',
  path: '/identifiers',
  tags,
  summary: 'Add a proof',
  description:
    'Verifies an identifier by a password, a verification code or the answer of a social provider, and adds it to the interaction. ' +
    'A proof of the same kind is replaced.',
  request: { body: json(IdentifierPayload) },
  responses: { ...done, ...refusals(400, 401, 403, 404, 422, 429) },
})
export const codeCall = createRoute({
  method: 'post',
  path: '/verification/verification-code',
  tags,
  summary: 'Send a verification code',
  description:
    'Sends a code to an e-mail address or phone number, for the event of the interaction. The answer does not depend on whether ' +
    'an account exists.',
  request: { body: json(CodeRequest) },
  responses: { ...done, ...refusals(400, 401, 403, 404, 429, 501) },
})
export const socialUriCall = createRoute({
  method: 'post',
  path: '/verification/social-authorization-uri',
  tags,
  summary: 'Start a social sign-in',
  description: 'Answers the address of the provider at which the user signs in.',
  request: { body: json(SocialAuthorizationRequest) },
  responses: { ...onward, ...refusals(400, 401, 403, 404, 501) },
})
export const profileCall = (method: 'put' | 'patch') =>
  createRoute({
    method,
    path: '/profile',
    tags,
    summary: method === 'put' ? 'Replace the profile' : 'Extend the profile',
    description:
      method === 'put'
        ? 'The values that the account is to have. They are checked at submit.'
        : 'Merges the given values into the profile, key by key. They are checked at submit.',
    request: { body: json(Profile) },
    responses: { ...done, ...refusals(400, 403, 404, 422) },
  })
export const dropProfileCall = createRoute({
  method: 'delete',
  path: '/profile',
  tags,
  summary: 'Delete the profile',
  description: 'Also drops a social sign-in that was started and not completed.',
  responses: { ...done, ...refusals(400, 403, 404) },
})
export const submitCall = createRoute({
  method: 'post',
  path: '/submit',
  tags,
  summary: 'Submit the interaction',
  description:
    'Signs the user in, registers them or sets the new password, by the proofs and the profile. 200 with the next address after a ' +
    'sign-in or registration, 204 after a password reset.',
  responses: { ...onward, ...done, ...refusals(400, 401, 403, 404, 422) },
})
export const consentCall = createRoute({
  method: 'post',
  path: '/consent',
  tags,
  summary: 'Consent to the request of the application',
  description: 'Grants a third-party application the scopes it requested.',
  responses: { ...onward, ...refusals(400, 403, 404) },
})
