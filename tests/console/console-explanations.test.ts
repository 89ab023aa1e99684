import { expect, it } from 'vitest'
import { classifySignInFailure, explainFailure } from '../../console/api/explanation.ts'
import { ApiProblem, toProblem } from '../../console/api/problem.ts'
import german from '../../locales/de.json'
import english from '../../locales/en.json'
import { type ErrorCode, errorCatalogue } from '../../src/contract/errors.ts'
import { refusalMessage } from '../../src/domain/messages.ts'

/** Tests how the console explains a failure (spec/console#failures). */

const problem = (fields: Partial<ConstructorParameters<typeof ApiProblem>[0]> = {}) =>
  new ApiProblem({ status: 422, code: 'role.last_owner', message: 'One has to stay.', ...fields })

it.each([
  ['English', english],
  ['German', german],
] as const)('every error code in the catalogue is explained in %s', (_, catalogue) => {
  const unexplained = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => {
    const { status } = errorCatalogue[code]
    const message = refusalMessage({ catalogue, language: 'en' }, code, undefined)
    const { kind } = explainFailure(problem({ status, code, message }))
    return message === code || !['sentence', 'notAllowed', 'signInRefused'].includes(kind)
  })
  expect(unexplained).toEqual([])
})

it.each([
  { what: 'an error response', error: problem(), kind: 'sentence', text: 'One has to stay.' },
  { what: 'a missing response', error: problem({ status: 0, code: 'network' }), kind: 'offline' },
  {
    what: 'missing permissions',
    error: problem({ status: 403, code: 'auth.forbidden' }),
    kind: 'notAllowed',
  },
  {
    what: 'an action that is forbidden for everyone',
    error: problem({ status: 403, code: 'role.internal_role_violation', message: 'It is internal.' }),
    kind: 'sentence',
    text: 'It is internal.',
  },
  { what: 'a rejected token', error: problem({ status: 401 }), kind: 'signInRefused' },
  {
    what: 'a response from a proxy',
    error: problem({ status: 524, message: '' }),
    kind: 'unexplained',
    status: 524,
  },
  {
    what: 'validation errors without a matching field',
    error: problem({ message: 'Not valid.', data: { issues: [{ path: ['a', 0], message: 'is empty' }] } }),
    kind: 'sentence',
    text: 'Not valid.',
    issues: 'a.0: is empty.',
  },
  {
    what: 'a bug in the console',
    error: new TypeError('x is null'),
    kind: 'unexpected',
    detail: 'x is null',
  },
  {
    what: 'a bug that occurs in a form',
    error: toProblem('x is null'),
    kind: 'unexpected',
    detail: 'x is null',
  },
])('the console explains $what', ({ error, what: _, ...explained }) => {
  expect(explainFailure(error)).toMatchObject(explained)
})

/** The error that oidc-client-ts throws if the provider returns an error response. */
const providerError = (error: string) => Object.assign(new Error(`${error}: …`), { error })

it.each([
  { error: providerError('access_denied'), failure: { kind: 'declined' } },
  { error: providerError('temporarily_unavailable'), failure: { kind: 'unavailable' } },
  { error: providerError('invalid_grant'), failure: { kind: 'stale' } },
  { error: new Error('No matching state found in storage'), failure: { kind: 'stale' } },
  { error: new TypeError('Failed to fetch'), failure: { kind: 'offline' } },
  { error: providerError('invalid_scope'), failure: { kind: 'other', code: 'invalid_scope' } },
  { error: new Error('Unknown jwk type'), failure: { kind: 'other', code: 'Unknown jwk type' } },
])('a sign-in that failed with "$error.message" is classified as $failure.kind', ({ error, failure }) => {
  expect(classifySignInFailure(error)).toEqual(failure)
})
