import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberNoCache, withNoCache } from '../../client/browser/no-cache.ts'
import { belongsToThisApp, storeSocialState } from '../../client/browser/social-state.ts'

let stored: Map<string, string>
beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const blockStorage = () =>
  vi.stubGlobal(
    'sessionStorage',
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('blocked')
        },
      },
    ),
  )

describe('the state of a social sign-in: "social_auth_state:{connector id}"', () => {
  it('is "compared once and removed"', () => {
    storeSocialState('github', 'uid.a')
    expect([...stored]).toEqual([['social_auth_state:github', 'uid.a']])
    expect(belongsToThisApp('github', '?code=x&state=uid.a')).toBe(true)
    expect([...stored]).toEqual([])
  })

  it.each(['?code=x&state=uid.b', '?code=x', '?state=uid.a&state=uid.b'])(
    'is left to the server if the tab stored another one than the response %s, because the server may have started it',
    (search) => {
      storeSocialState('github', 'uid.a')
      expect(belongsToThisApp('github', search)).toBe(true)
      expect([...stored]).toEqual([])
    },
  )

  it('belongs to one connector, and a new authorization replaces it', () => {
    storeSocialState('github', 'uid.a')
    storeSocialState('github', 'uid.b')
    expect(belongsToThisApp('google', '?state=uid.c')).toBe(true)
    expect(belongsToThisApp('github', '?state=uid.b')).toBe(true)
  })

  it('is compared only by the server if storage is blocked', () => {
    blockStorage()
    storeSocialState('github', 'uid.a')
    expect(belongsToThisApp('github', '?state=uid.b')).toBe(true)
  })
})

describe('the link into an app: "social_callback_data:{connector id}"', () => {
  async function inApp(callbackLink: string | undefined) {
    vi.stubGlobal('window', { vestibuleNative: { platform: 'ios', callbackLink } })
    vi.resetModules()
    const { loadNativeBridge } = await import('../../client/browser/native-bridge.ts')
    await loadNativeBridge()
    return import('../../client/browser/social-state.ts')
  }

  it.each([
    { what: 'the same app', link: 'app://back', isSame: true },
    { what: 'an app with another link', link: 'app://other', isSame: false },
    { what: 'an app without a link', link: undefined, isSame: false },
  ])('is compared once and removed in $what', async ({ link, isSame }) => {
    const started = await inApp('app://back')
    started.storeSocialState('github', 'uid.a')
    expect(stored.get('social_callback_data:github')).toBe('app://back')
    const returned = await inApp(link)
    expect(returned.belongsToThisApp('github', '?state=uid.a')).toBe(isSame)
    expect([...stored]).toEqual([])
  })

  it('is not compared with the response to an authorization that the server started', async () => {
    const started = await inApp('app://back')
    started.storeSocialState('github', 'uid.a')
    const returned = await inApp('app://other')
    expect(returned.belongsToThisApp('github', '?state=uid.b')).toBe(true)
    expect([...stored]).toEqual([])
  })
})

describe('the "no_cache flag" of a tab', () => {
  const open = (search: string) => {
    vi.stubGlobal('location', { search })
    rememberNoCache()
  }

  it('is set by the query, and keeps the parameter in the URLs of later pages', () => {
    open('?interaction=uid')
    expect(withNoCache('/register?interaction=uid')).toBe('/register?interaction=uid')
    open('?interaction=uid&no_cache')
    expect([...stored.keys()]).toEqual(['no_cache'])
    open('?interaction=uid')
    expect(withNoCache('/register?interaction=uid')).toBe('/register?interaction=uid&no_cache')
    expect(withNoCache('/register')).toBe('/register?no_cache')
    expect(withNoCache('/register?no_cache=1')).toBe('/register?no_cache=1')
  })

  it('is missing if storage is blocked', () => {
    blockStorage()
    open('?no_cache')
    expect(withNoCache('/register')).toBe('/register')
  })
})
