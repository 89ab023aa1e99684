import { afterEach, expect, it, vi } from 'vitest'
import { MINUTE } from '../../../src/contract/time.ts'
import type { SocialContext } from '../../../src/outbound/social/social.ts'
import { failureOfSending } from '../connector-context.ts'
import { addressOf, configOf, signInWith, socialContext } from './social-context.ts'

/** One OpenID Provider at which users sign in one after another, each with a network and a deadline of their own. */
function oneProvider() {
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
        // As after the request: nothing that is shared may still depend on it.
        deadline.abort()
      }
    },
  }
}

const later = (milliseconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })

afterEach(() => {
  vi.useRealTimers()
})

it('keys are shared between sign-ins, and fetched anew by the sign-in that needs them', async () => {
  const provider = oneProvider()
  expect(await provider.signIn()).toEqual({ id: 'ann-1', keyRequests: [false] })
  expect(await provider.signIn()).toEqual({ id: 'ann-1', keyRequests: [] })
  later(6 * MINUTE)
  expect(await provider.signIn()).toEqual({ id: 'ann-1', keyRequests: [false] })
})

it('keys of sign-ins at the same time do not depend on each other', async () => {
  const provider = oneProvider()
  const both = await Promise.all([provider.signIn(), provider.signIn()])
  expect(both.map(({ id }) => id)).toEqual(['ann-1', 'ann-1'])
})

it('a rotated key is found as soon as a token names it, but not asked for again and again', async () => {
  const provider = oneProvider()
  const old = { keys: [{ kty: 'RSA', kid: 'old', n: 'AQAB', e: 'AQAB' }] }
  const invalid = { code: 'social_invalid_id_token' }
  expect(await provider.signIn(old)).toEqual({ ...invalid, keyRequests: [false] })
  expect(await provider.signIn()).toEqual({ ...invalid, keyRequests: [] })
  later(MINUTE + 1_000)
  expect(await provider.signIn()).toEqual({ id: 'ann-1', keyRequests: [false] })
})
