import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { InteractionApi } from '../../client/api/api.ts'
import { withPasskeys } from '../../client/passkeys/submit.ts'

/** Tests that an unresponsive browser does not block the redirect after a submit call (spec/pages#passkey-offer). */

const never = () => new Promise<never>(() => {})
const LIMIT = 1_500
const onward = '/oidc/auth/abc'

/** Stubs a browser that supports every passkey feature but never responds to a request. */
function stubBrowser() {
  const create = vi.fn(never)
  const can = { isUserVerifyingPlatformAuthenticatorAvailable: async () => true }
  const PublicKeyCredential = Object.assign(() => {}, can, {
    getClientCapabilities: async () => ({ conditionalCreate: true }),
    signalAllAcceptedCredentials: never,
    signalCurrentUserDetails: never,
  })
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential)
  vi.stubGlobal('navigator', { credentials: { create } })
  return create
}

const options = {
  challenge: 'AAAA',
  rp: { id: 'id.example', name: 'Shop' },
  user: { id: 'AAAA', name: 'ann', displayName: 'Ann' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
}

function submitWith(askOptions: () => Promise<Response>) {
  const accepted = { rpId: 'id.example', userId: 'AAAA', credentialIds: [], name: 'ann', displayName: 'Ann' }
  const passkeys = { creations: ['conditional', 'offer'], accepted }
  const api = {
    submit: async () => ({ ok: true, value: { redirectTo: onward, passkeys } }),
    calls: { passkeys: { options: { $post: askOptions } } },
  } as unknown as InteractionApi // the only calls that a submit makes
  let reached: unknown
  void withPasskeys(api)
    .submit({})
    .then((outcome) => {
      reached = outcome
    })
  return () => reached
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('after a sign-in is submitted', () => {
  it('a browser that never responds delays the redirect only up to the time limit', async () => {
    const create = stubBrowser()
    const reached = submitWith(async () => Response.json(options))
    await vi.advanceTimersByTimeAsync(LIMIT - 1)
    await vi.dynamicImportSettled()
    expect(create).toHaveBeenCalledOnce()
    expect(reached()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(reached()).toEqual({ ok: true, value: { redirectTo: onward } })
  })

  it('no passkey is created after the time limit', async () => {
    const create = stubBrowser()
    let answerLate = (_: Response) => {}
    const reached = submitWith(
      () =>
        new Promise((end) => {
          answerLate = end
        }),
    )
    await vi.advanceTimersByTimeAsync(LIMIT)
    await vi.dynamicImportSettled()
    expect(reached()).toEqual({ ok: true, value: { redirectTo: onward } })
    answerLate(Response.json(options))
    await vi.advanceTimersByTimeAsync(LIMIT)
    expect(create).not.toHaveBeenCalled()
  })
})
