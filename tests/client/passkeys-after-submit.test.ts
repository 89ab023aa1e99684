import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { InteractionApi } from '../../client/api/api.ts'
import { withPasskeys } from '../../client/passkeys/submit.ts'
import type { PasskeyAbility } from '../../src/contract/passkeys/passkeys.ts'

/** Tests that an unresponsive browser delays a sign-in only briefly, and only once (spec/pages#passkey-offer). */

const never = () => new Promise<never>(() => {})
const LIMIT = 600
const DAY = 86_400_000
const onward = '/oidc/auth/abc'
const offer = { ok: true, value: { redirectTo: '/sign-in/passkey?interaction=abc' } }

/** Stubs a browser that supports every passkey feature. By default, it never responds to a request. */
function stubBrowser(respond: () => Promise<unknown> = never) {
  const create = vi.fn(respond)
  const can = { isUserVerifyingPlatformAuthenticatorAvailable: async () => true }
  const PublicKeyCredential = Object.assign(() => {}, can, {
    getClientCapabilities: async () => ({ conditionalCreate: true }),
    signalAllAcceptedCredentials: never,
    signalCurrentUserDetails: never,
  })
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential)
  vi.stubGlobal('navigator', { credentials: { create } })
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  return create
}

const options = {
  challenge: 'AAAA',
  rp: { id: 'id.example', name: 'Shop' },
  user: { id: 'AAAA', name: 'ann', displayName: 'Ann' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
}

/** The data that a browser returns for a new passkey. */
const credential = {
  id: 'AAAA',
  rawId: new ArrayBuffer(3),
  type: 'public-key',
  getClientExtensionResults: () => ({}),
  response: {
    clientDataJSON: new ArrayBuffer(3),
    attestationObject: new ArrayBuffer(3),
    getTransports: () => ['internal'],
  },
}

const answerOptions = async () => Response.json(options)

function submitWith(
  askOptions: () => Promise<Response> = answerOptions,
  store: () => Promise<Response> = never,
) {
  const accepted = { rpId: 'id.example', userId: 'AAAA', credentialIds: [], name: 'ann', displayName: 'Ann' }
  const passkeys = { creations: ['conditional', 'offer'] as PasskeyAbility[], accepted }
  const api = {
    submit: async ({ passkeyAbilities }: { passkeyAbilities: PasskeyAbility[] }) => {
      const creations = passkeys.creations.filter((creation) => passkeyAbilities.includes(creation))
      return { ok: true, value: { redirectTo: onward, passkeys: { ...passkeys, creations } } }
    },
    calls: { passkeys: { $post: store, options: { $post: askOptions } } },
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

/** Lets the signals time out and the browser receive the request. */
async function untilRequested() {
  await vi.advanceTimersByTimeAsync(LIMIT - 1)
  await vi.dynamicImportSettled()
}

describe('after a sign-in is submitted', () => {
  it('a browser that never responds leads to the offer within the time limit', async () => {
    const create = stubBrowser()
    const reached = submitWith()
    await untilRequested()
    expect(create).toHaveBeenCalledOnce()
    expect(reached()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(reached()).toEqual(offer)
  })

  it('a browser that did not respond is asked again only after thirty days', async () => {
    const create = stubBrowser()
    submitWith()
    await untilRequested()
    await vi.advanceTimersByTimeAsync(29 * DAY)
    const reached = submitWith()
    // Only the signals take time.
    await vi.advanceTimersByTimeAsync(200)
    await vi.dynamicImportSettled()
    expect(reached()).toEqual(offer)
    expect(create).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(DAY)
    submitWith()
    await untilRequested()
    expect(create).toHaveBeenCalledTimes(2)
  })

  it.each([
    { what: 'declines', respond: () => Promise.reject(new DOMException('', 'NotAllowedError')) },
    { what: 'fails', respond: () => Promise.reject(new Error('broken')) },
  ])('a browser that $what leads to the offer, and is asked at the next sign-in', async ({ respond }) => {
    const create = stubBrowser(respond)
    const reached = submitWith()
    await untilRequested()
    expect(reached()).toEqual(offer)
    submitWith()
    await untilRequested()
    expect(create).toHaveBeenCalledTimes(2)
  })

  it('a passkey that the server is slow to store is not offered again', async () => {
    stubBrowser(async () => credential)
    const reached = submitWith(answerOptions, never)
    await untilRequested()
    expect(reached()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(reached()).toEqual({ ok: true, value: { redirectTo: onward } })
  })

  it('no passkey is created after the time limit, and the next sign-in tries again', async () => {
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
    expect(reached()).toEqual(offer)
    answerLate(Response.json(options))
    await vi.advanceTimersByTimeAsync(LIMIT)
    expect(create).not.toHaveBeenCalled()
    submitWith()
    await untilRequested()
    expect(create).toHaveBeenCalledOnce()
  })
})
