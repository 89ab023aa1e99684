import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { codeRequestWith, newDpopKey } from '../kit/dpop-key.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import type { Fault } from './fault-plan.ts'
import { hostileDatabase } from './hostile-d1.ts'

/** Opens an app whose database has the fault once, in the next write that matches the pattern. */
function openFaulty(): { app: TestApp; fail(fault: Fault, pattern: RegExp): void; isDone(): boolean } {
  let next: { fault: Fault; pattern: RegExp } | null = null
  const DB = hostileDatabase(env.DB, {
    faultOf({ isRead, what }) {
      if (isRead || !next?.pattern.test(what)) return null
      const { fault } = next
      next = null
      return fault
    },
    onKilled() {},
    onLate() {},
  })
  return {
    app: openTestApp({ DB }),
    fail(fault, pattern) {
      next = { fault, pattern }
    },
    isDone: () => next === null,
  }
}

const claim = /^insert into "oidc_model_instances".*do update/s
const use = /(?:^|; )update "oidc_model_instances".*consumed_at/s

it.each(['refused', 'lost'] as const)(
  'a DPoP proof and an authorization code are usable exactly once, even if the write that records their use is %s',
  async (fault) => {
    const { app, fail, isDone } = openFaulty()
    const key = await newDpopKey()
    const redeem = await codeRequestWith(app, key)

    fail(fault, use)
    const answer = await redeem()
    expect([answer.status, isDone()]).toEqual([200, true])
    const { access_token: token } = (await answer.json()) as Record<string, string>

    const proof = await key.prove('PATCH', '/api/me', token)
    const headers = { authorization: `DPoP ${token}`, DPoP: proof, 'content-type': 'application/json' }
    const change = () => app.fetch('/api/me', { method: 'PATCH', headers, body: '{"name":"Ann"}' })
    fail(fault, claim)
    expect([(await change()).status, isDone()]).toEqual([200, true])
    expect((await change()).status).toBe(401)
    // A second use of the code revokes the grant and its tokens.
    expect((await redeem()).status).toBe(400)
    const after = await key.prove('GET', '/oidc/me', token)
    const late = await app.fetch('/oidc/me', { headers: { authorization: `DPoP ${token}`, DPoP: after } })
    expect(late.status).toBe(401)
  },
)
