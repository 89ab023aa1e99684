import { z } from 'zod'
import {
  ApplicationCreation,
  ApplicationPatchSchema,
  ApplicationSchema,
  SecretReplacement,
} from '../../../contract/applications/applications.schema.ts'
import { jsonResponse, optionalJsonBody } from '../../guard.ts'
import { declareResource } from '../access/resource-declaration.ts'
import { paginationQuery } from '../pagination.ts'
import { createManagementCallDeclarer, describeRecentSignIn, idParam } from '../router.ts'

/** Declares the calls of applications (spec/management#applications). */

export const application = declareResource({
  tag: 'Applications',
  name: 'application',
  entity: ApplicationSchema,
  subject: 'Application',
})

const WithRole = ApplicationSchema.extend({ isAdmin: z.boolean() }).meta({ id: 'ApplicationWithRole' })

export const listCall = application.list({
  operationId: 'listApplications',
  summary: 'List applications',
  description:
    'Returns a page of the OAuth clients of the tenant, newest first, each with its secret. The secret ' +
    'is `********` if the caller may not change the client, or is a user who would first have to sign in ' +
    'again. Built-in clients are not listed.',
  query: z.object(paginationQuery),
})
export const createCall = application.create({
  operationId: 'createApplication',
  summary: 'Create an application',
  description:
    'Registers an OAuth client whose users sign in here. Its id and secret are random unless given. ' +
    'Redirect URIs are validated together with the type of the application; those of a third party may ' +
    'use http only on a loopback address. Errors: 400 `guard.invalid_input` for each unsuitable URI, ' +
    '422 if there is none at all (except for `MachineToMachine`), 422 `entity.id_in_use` if the id is ' +
    'taken. A template of additional `claims` requires the scope `all`. ' +
    describeRecentSignIn(),
  body: ApplicationCreation,
})
export const getCall = application.read({
  operationId: 'getApplication',
  summary: 'Get an application',
  description:
    'Returns one OAuth client with its secret. The secret is `********` if the caller may not change the ' +
    'client, or is a user who would first have to sign in again. `isAdmin` is true if the client has the ' +
    'role that gives access to the management API. The built-in client `demo-app` can be read, too. ' +
    'Responds with 404 `entity.not_exists_with_id` if the id is unknown.',
  response: WithRole,
})
export const patchCall = application.update({
  operationId: 'updateApplication',
  summary: 'Change an application',
  description:
    'Replaces the given fields; `oidcClientMetadata` and `customClientMetadata` are merged key by key, ' +
    'and null removes an optional key. `isAdmin` adds or removes the role that gives access to the ' +
    'management API, which the caller must have. An application that gains this role loses its secret ' +
    'and keys: it gets those given in the same call, or otherwise a new secret, which is returned. The ' +
    'next authorization request uses the new values. `secondFactorPolicy` requires a second factor from ' +
    'its users even if the policies of the tenant and their roles are weaker; null adds no requirement. ' +
    'With `rememberDays: 0`, no browser is remembered for sign-ins here. Weakening either requires the ' +
    'scope `all`. Redirect URIs are validated as for a new application, also if it becomes a third-party ' +
    'application; a third party whose plain http address is older than that rule keeps it until its ' +
    'addresses or its type change. `claims` replaces the template of additional claims in ID tokens and ' +
    'userinfo, null removes it, and either requires the scope `all`. ' +
    describeRecentSignIn('changes more than the name and description'),
  body: ApplicationPatchSchema,
  response: WithRole,
  refusals: [422],
})
const declareCall = createManagementCallDeclarer('Applications')
export const secretCall = declareCall({
  method: 'post',
  path: '/{id}/secret',
  operationId: 'replaceApplicationSecret',
  summary: 'Replace the secret of an application',
  description:
    'Creates a new random secret and returns the application with it. The previous secret stops working ' +
    'at once, or after `previousSecretTtl` seconds, at most 30 days, so that the application can be ' +
    'updated meanwhile. If the secret before it is still accepted, too, a call with `previousSecretTtl` is ' +
    'rejected with 422 `application.has_two_secrets`, and one without ends both. Tokens issued earlier ' +
    'remain valid. Responds with 404 `entity.not_exists_with_id` if the id is unknown. ' +
    describeRecentSignIn(),
  request: { params: idParam, body: optionalJsonBody(SecretReplacement) },
  responses: { 200: jsonResponse('The application with its new secret', WithRole) },
  refusals: [404, 412, 422],
})
export const revokeSecretCall = declareCall({
  method: 'delete',
  path: '/{id}/previous-secret',
  operationId: 'endPreviousApplicationSecret',
  summary: 'End the previous secret of an application',
  description:
    'Ends the secret that the current one has replaced, before it expires. Responds with 404 ' +
    '`entity.not_found` if there is none.',
  request: { params: idParam },
  responses: { 204: { description: 'The previous secret is no longer accepted' } },
  refusals: [404, 412],
})
export const deleteCall = application.delete({
  operationId: 'deleteApplication',
  summary: 'Delete an application',
  description:
    'Deletes an OAuth client with all grants and tokens that were issued to it; users stay signed in to ' +
    'other applications. Responds with 404 `entity.not_found` if the id is unknown, and with 503 if ' +
    'there is more to delete than one call can: repeat the call.',
})
