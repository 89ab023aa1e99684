import { afterEach, expect, it, vi } from 'vitest'
import { MINUTE } from '../../../src/contract/time.ts'
import type { SocialContext } from '../../../src/outbound/social/social.ts'
import { failureOfSending } from '../connector-context.ts'
import { addressOf, configOf, signInWith, socialContext } from './social-context.ts'

/**
 * Returns an OpenID Provider at which several users sign in. Each user has a separate network and deadline.
 */
function newProvider() {
  const config = configOf('oidc', addressOf('oidc', 'ok'))
  return {
    async signIn(keys?: object) {
      const deadline = new AbortController()
      const keyRequests: boolean[] = []
      const context: SocialContext = {
        ...socialContext,
        deadline: deadline.signal,
        async fetch(address, init) {
          if (!address.endsWith('/keys')) return fetch(address, init)
          keyRequests.push(init.signal?.aborted ?? true)
          return keys ? Response.json(keys) : fetch(address, init)
        },
      }
      try {
        const { id } = await signInWith('oidc', 'ok', { config, context })
        return { id, keyRequests }
      } catch (error) {
        const { code } = await failureOfSending(Promise.reject(error))
        return { code, keyRequests }
      } finally {
        // This request has ended, so shared work must no longer depend on its deadline.
        deadline.abort()
      }
    },
  }
}

const advanceClock = (milliseconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })

afterEach(() => {
  vi.useRealTimers()
})

it('sign-ins share cached keys, which are refetched once they are stale', async () => {
  const provider = newProvider()
  expect(await provider.signIn()).toEqual({ id: 'ann-1', keyRequests: [false] })
  expect(await provider.signIn()).toEqual({ id: 'ann-1', keyRequests: [] })
  advanceClock(6 * MINUTE)
  expect(await provider.signIn()).toEqual({ id: 'ann-1', keyRequests: [false] })
})

it('concurrent sign-ins at a provider do not wait for each other’s key requests', async () => {
  const provider = newProvider()
  const both = await Promise.all([provider.signIn(), provider.signIn()])
  expect(both.map(({ id }) => id)).toEqual(['ann-1', 'ann-1'])
})

it('an unknown key ID triggers a refetch of the keys, at most once a minute', async () => {
  const provider = newProvider()
  const old = { keys: [{ kty: 'RSA', kid: 'old', n: 'AQAB', e: 'AQAB' }] }
  const invalid = { code: 'social_invalid_id_token' }
  expect(await provider.signIn(old)).toEqual({ ...invalid, keyRequests: [false] })
  expect(await provider.signIn()).toEqual({ ...invalid, keyRequests: [] })
  advanceClock(MINUTE + 1_000)
  expect(await provider.signIn()).toEqual({ id: 'ann-1', keyRequests: [false] })
})
