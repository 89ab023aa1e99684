import { describe, expect, it } from 'vitest'
import { maskAuditPayload } from '../../src/domain/audit-fields.ts'

const SECRET = 'what-no-log-may-hold'

describe('an audit field that is not on the allowlist', () => {
  it.each([
    { invented: SECRET },
    { invented: [SECRET] },
    { invented: { userId: SECRET } },
    { identifier: { email: 'a@b.example', pin: SECRET } },
    { profile: { username: 'ann', recoveryKey: SECRET } },
    { proofs: [{ kind: 'social', connectorId: 'c', profile: { id: '1', ticket: SECRET } }] },
    { params: { client_id: 'shop', a_new_parameter: SECRET } },
    { error: { code: 'user.suspended', data: { seen: SECRET } } },
    { error: { code: 'guard.invalid_input', data: { issues: [{ path: ['a'], input: SECRET }] } } },
    { json: { event: 'PostSignIn', user: { id: 'u', customData: { pin: SECRET } } } },
    { response: { statusCode: 400, body: { error: 'no', echoed: { deep: [SECRET] } } } },
    { connectorSession: { connectorId: 'c', kept: { verifier: SECRET } } },
    // These fields are on the allowlist, but have an unexpected shape.
    { userId: { value: SECRET } },
    { email: [[{ value: SECRET }]] },
    { changes: { name: SECRET } },
    { changes: { name: { before: 1, after: 2, more: SECRET } } },
    { changes: SECRET },
    JSON.parse(`{"__proto__":{"x":"${SECRET}"},"constructor":"${SECRET}"}`),
  ])('is masked regardless of its name and shape: %j', (payload) => {
    const text = JSON.stringify(maskAuditPayload(payload))
    expect(text).not.toContain(SECRET)
    expect(text).toContain('******')
  })

  it('is logged as empty if it has no value', () => {
    expect(maskAuditPayload({ invented: null, other: undefined })).toEqual({
      invented: null,
      other: undefined,
    })
  })
})

describe('an audit field on the allowlist', () => {
  it('is masked as a whole if it has an unexpected shape', () => {
    expect(maskAuditPayload({ key: { a: 'b' }, userId: [{ a: 'b' }, 'c'] })).toEqual({
      key: '******',
      userId: ['******', 'c'],
    })
  })

  it('is logged unmasked', () => {
    const payload = {
      key: 'Management.User.Update',
      result: 'Error',
      actor: { type: 'user', id: 'boss', clientId: 'console', signedInAt: 1_000, level: 'mfa' },
      userId: 'u',
      email: null,
      changed: ['name'],
      changes: { name: { before: null, after: { a: ['b'] } } },
      proofs: [{ kind: 'email', value: 'a@b.example' }],
      error: { code: 'request.too_many_requests', data: { retryAfter: 3 } },
    }
    expect(maskAuditPayload(payload)).toEqual(payload)
  })
})
