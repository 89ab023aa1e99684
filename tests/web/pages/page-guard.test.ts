import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE, type SignInMode } from '../../../src/contract/experience/experience.ts'
import type { PageContext, PageInteraction } from '../../../src/web/pages/page-context.ts'
import { guardPage } from '../../../src/web/pages/page-guard.ts'

const request = { client_id: 'demo-app', scope: 'openid profile', state: 'a&b' }
const alive: PageInteraction = {
  uid: 'interaction-1',
  cookie: { exp: 2_000_000_000, clientId: 'demo-app', request },
  isOver: false,
  navigation: null,
  nextNavigation: null,
}

const contextFor = (
  address: string,
  interaction: PageInteraction | null,
  signInMode: SignInMode = 'SignInAndRegister',
): PageContext => ({
  url: new URL(address, 'https://id.example'),
  interaction,
  experience: {
    ...DEFAULT_EXPERIENCE,
    signInMode,
    socialConnectors: [],
    forgotPassword: { email: false, phone: false },
  },
  language: 'en',
  languages: [],
  chosenLanguage: null,
  phrases: {},
  platform: 'web',
  country: '',
})

describe('the page guard for a request without an interaction', () => {
  it.each([
    '/',
    '/sign-in',
    '/sign-in/password',
    '/sign-in/consent',
    '/sign-in/social/github',
    '/register',
    '/register/password',
    '/social/register',
    '/reset-password',
    '/forgot-password',
    '/sign-in?preview=',
  ])('redirects from %s', (address) => {
    expect(guardPage(contextFor(address, null))).toEqual({ kind: 'unknownSession' })
  })

  it.each([
    '/unknown-session',
    '/callback/github',
    '/continue/password',
    '/social/link/github',
    '/social/landing/github',
    '/springboard',
    '/sign-in?preview=true',
    '/no-such-page',
  ])('does not redirect from %s', (address) => {
    expect(guardPage(contextFor(address, null)).kind).not.toMatch(/^(?:unknownSession|redirect)$/)
  })
})

describe('the page guard for a finished interaction', () => {
  it('offers to start again', () => {
    expect(guardPage(contextFor('/sign-in', { ...alive, isOver: true }))).toEqual({ kind: 'startAgain' })
  })
})

describe('the page guard for an interaction in progress', () => {
  it.each([
    {
      mode: 'Register',
      from: '/sign-in?interaction=interaction-1&lng=de',
      to: '/register?interaction=interaction-1&lng=de',
    },
    { mode: 'SignIn', from: '/register?interaction=interaction-1', to: '/sign-in?interaction=interaction-1' },
    {
      mode: 'SignInAndRegister',
      from: '/?interaction=interaction-1',
      to: '/sign-in?interaction=interaction-1',
    },
    { mode: 'Register', from: '/', to: '/register' },
  ] as const)('redirects from $from in the sign-in mode $mode', ({ mode, from, to }) => {
    expect(guardPage(contextFor(from, alive, mode))).toEqual({ kind: 'redirect', to })
  })

  it.each([
    { mode: 'SignInAndRegister', address: '/sign-in' },
    { mode: 'SignInAndRegister', address: '/register' },
    { mode: 'Register', address: '/register/password' },
    { mode: 'Register', address: '/sign-in/consent' },
  ] as const)('allows a request for $address in the sign-in mode $mode', ({ mode, address }) => {
    expect(guardPage(contextFor(address, alive, mode))).toEqual({ kind: 'enter' })
  })
})
