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
const onward = { 200: answer('Where the browser goes next', z.object({ redirectTo: z.string() })) }

export const startCall = createRoute({
  method: 'put',
  path: '/',
  tags,
  summary: 'Begin, or begin again',
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
  summary: 'Give up: the application is told',
  responses: { ...onward, ...refusals(400, 403, 404) },
})
export const eventCall = createRoute({
  method: 'put',
  path: '/event',
  tags,
  summary: 'Turn a sign-in into a registration, or the reverse',
  request: { body: json(z.object({ event: InteractionEvent })) },
  responses: { ...done, ...refusals(400, 403, 404) },
})
export const navigationStateCall = createRoute({
  method: 'put',
  path: '/step',
  tags,
  summary: 'Remember what the next page needs to know',
  request: { body: json(StepBody) },
  responses: { ...done, ...refusals(400, 403) },
})
export const identifierCall = createRoute({
  method: 'patch',
  path: '/identifiers',
  tags,
  summary: 'Prove one more thing',
  request: { body: json(IdentifierPayload) },
  responses: { ...done, ...refusals(400, 401, 403, 404, 422, 429) },
})
export const codeCall = createRoute({
  method: 'post',
  path: '/verification/verification-code',
  tags,
  summary: 'Send a code to an address',
  request: { body: json(CodeRequest) },
  responses: { ...done, ...refusals(400, 401, 403, 404, 429, 501) },
})
export const socialUriCall = createRoute({
  method: 'post',
  path: '/verification/social-authorization-uri',
  tags,
  summary: 'Begin at a social provider',
  request: { body: json(SocialAuthorizationRequest) },
  responses: { ...onward, ...refusals(400, 401, 403, 404, 501) },
})
export const profileCall = (method: 'put' | 'patch') =>
  createRoute({
    method,
    path: '/profile',
    tags,
    summary: method === 'put' ? 'Replace the profile' : 'Complete the profile',
    request: { body: json(Profile) },
    responses: { ...done, ...refusals(400, 403, 404, 422) },
  })
export const dropProfileCall = createRoute({
  method: 'delete',
  path: '/profile',
  tags,
  summary: 'Drop the profile',
  responses: { ...done, ...refusals(400, 403, 404) },
})
export const submitCall = createRoute({
  method: 'post',
  path: '/submit',
  tags,
  summary: 'Sign in, register, or set the new password',
  responses: { ...onward, ...done, ...refusals(400, 401, 403, 404, 422) },
})
export const consentCall = createRoute({
  method: 'post',
  path: '/consent',
  tags,
  summary: 'Grant the application what it asked for',
  responses: { ...onward, ...refusals(400, 403, 404) },
})
