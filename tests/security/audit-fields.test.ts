import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { auditPayload } from '../../src/domain/audit-fields.ts'
import { beginInteraction } from '../kit/interaction-client.ts'
import { openTestApp } from '../kit/test-app.ts'

const SECRET = 'what-no-log-may-hold'

describe('A field of the audit log that is not listed', () => {
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
    // A listed field with an unexpected shape.
    { userId: { value: SECRET } },
    { email: [[{ value: SECRET }]] },
    JSON.parse(`{"__proto__":{"x":"${SECRET}"},"constructor":"${SECRET}"}`),
  ])('is masked, whatever it is called: %j', (payload) => {
    const text = JSON.stringify(auditPayload(payload))
    expect(text).not.toContain(SECRET)
    expect(text).toContain('******')
  })

  it('does not hide the others', () => {
    const payload = {
      key: 'Management.User.Update',
      result: 'Error',
      actor: { type: 'app', id: 'management' },
      userId: 'u',
      changed: ['name'],
      error: { code: 'request.too_many_requests', data: { retryAfter: 3 } },
    }
    expect(auditPayload(payload)).toEqual(payload)
  })

  it('that a client sends reaches no row', async () => {
    const app = openTestApp()
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn', {
      identifier: { connectorId: 'nowhere', connectorData: { ticket: SECRET, [SECRET]: 'x' } },
    })
    const { results } = await env.DB.prepare('select payload from logs').all<{ payload: string }>()
    expect(results.some(({ payload }) => payload.includes('nowhere'))).toBe(true)
    expect(JSON.stringify(results)).not.toContain(SECRET)
  })
})
