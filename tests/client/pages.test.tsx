import { describe, expect, it } from 'vitest'
import german from '../../locales/de.json'
import type { BootData } from '../../src/contract/boot.ts'
import { ada, boot, experience, withTerms } from './boot-data.ts'
import { render } from './render.tsx'

const draw = (page: Partial<BootData>) => render({ ...boot, ...page })
const inputNamed = (html: string, name: string) =>
  html.match(new RegExp(`<input[^>]* name="${name}"[^>]*>`))?.[0] ?? ''
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

const everyPage: (Partial<BootData> & { name: string })[] = [
  { name: 'sign-in', path: '/sign-in', experience: withTerms },
  {
    name: 'sign-in in dark',
    experience: { ...experience, color: { ...experience.color, isDarkModeEnabled: true } },
  },
  { name: 'register', path: '/register', experience: withTerms },
  { name: 'register/password', path: '/register/password', navigation: ada },
  { name: 'register/password without its step', path: '/register/password' },
  { name: 'consent', path: '/sign-in/consent' },
  { name: 'sign-in/social', path: '/sign-in/social/github', search: '?code=a&interaction=uid' },
  { name: 'social/link without its step', path: '/social/link/github' },
  { name: 'unknown-session', path: '/unknown-session', interaction: null },
  { name: 'not found', path: '/nowhere', interaction: null },
  { name: 'error', error: { code: 'oidc.provider_error', message: 'No.' } },
  {
    name: 'expired',
    error: { code: 'session.not_found', message: 'Over.' },
    restartUrl: '/oidc/auth?client_id=x',
  },
  {
    name: 'an alert',
    path: '/register/password',
    navigation: ada,
    notice: { kind: 'alert', message: 'Taken', back: 1 },
  },
  {
    name: 'consent that failed',
    path: '/sign-in/consent',
    notice: { kind: 'inline', field: null, message: 'Not now.' },
  },
  { name: 'still signed in', path: '/signed-in', interaction: null },
  {
    name: 'sign-out',
    logout: { stage: 'asking', formAction: '/oidc/session/end/confirm', xsrf: 'x', needsQuestion: true },
  },
  {
    name: 'signing out',
    logout: { stage: 'asking', formAction: '/oidc/session/end/confirm', xsrf: 'x', needsQuestion: false },
  },
  { name: 'signed out', logout: { stage: 'done' } },
]

describe.each(everyPage)('the page "$name"', (page) => {
  const html = draw(page)

  it('needs no inline script or style, so that the content security policy can forbid them', () => {
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/)
  })

  it('has one main area and one heading', () => {
    expect([count(html, /<main/g), count(html, /<h1/g)]).toEqual([1, 1])
  })

  it('posts every form, and keeps naming its interaction', () => {
    const ours = page.logout ? '/oidc/' : `interaction=${boot.interaction}"`
    for (const [, attributes = ''] of html.matchAll(/<form([^>]*)>/g)) {
      if (attributes.includes('method="dialog"')) continue
      expect(attributes).toContain('method="post"')
      expect(attributes).toContain(ours)
    }
    for (const [, href] of html.matchAll(/<a[^>]*href="(\/(?:sign-in|register)[^"]*)"/g)) {
      expect(href).toContain('?interaction=uid')
    }
  })
})

it('carries the interaction in a hidden field', () => {
  expect(draw({})).toContain('<input type="hidden" name="interaction" value="uid"/>')
})

it('tells password managers what is what', () => {
  expect(inputNamed(draw({}), 'identifier')).toContain('autoComplete="username"')
  expect(inputNamed(draw({}), 'password')).toContain('autoComplete="current-password"')
  const password = draw({ path: '/register/password', navigation: ada })
  expect(password).toMatch(/autoComplete="username"[^>]*value="ada"/i)
  expect(count(password, /autoComplete="new-password"/gi)).toBe(2)
})

it('asks for the terms only where there are any', () => {
  expect(draw({ path: '/register' })).not.toContain('termsAgreement')
  expect(inputNamed(draw({ path: '/register', experience: withTerms }), 'termsAgreement')).toMatch(
    /required="" type="checkbox"/,
  )
})

describe('a form that came back from the server', () => {
  const html = draw({
    notice: { kind: 'inline', field: 'password', message: 'Wrong.' },
    values: { identifier: 'ada' },
  })

  it('says what is wrong where it is wrong, for everybody', () => {
    expect(html).toContain('<p class="field-problem" id="password-problem" role="alert">Wrong.</p>')
    expect(inputNamed(html, 'password')).toMatch(/aria-invalid="true" aria-describedby="password-problem"/)
  })

  it('still holds what was typed', () => {
    expect(inputNamed(html, 'identifier')).toContain('value="ada"')
  })
})

it('leads without script to what the server has found wrong, and to nothing else', () => {
  const focused = (html: string) => [...html.matchAll(/<input[^>]*autofocus[^>]*>/gi)].map(([input]) => input)
  const notice = { kind: 'inline', field: 'termsAgreement', message: 'Please.' } as const
  expect(focused(draw({}))).toEqual([])
  expect(focused(draw({ notice: { ...notice, field: 'password' } }))).toEqual([
    expect.stringContaining('name="password"'),
  ])
  expect(focused(draw({ path: '/register', experience: withTerms, notice }))).toEqual([
    expect.stringContaining('name="termsAgreement"'),
  ])
})

describe('consent', () => {
  it('says what stopped it instead of promising to go on', () => {
    const notice = { kind: 'inline', field: null, message: 'Not now.' } as const
    const html = draw({ path: '/sign-in/consent', notice })
    expect(html).toContain('Something went wrong')
    expect(html).toMatch(/role="alert">Not now\.</)
    expect(html).toContain('Try again')
    expect(html).not.toMatch(/signed in|Taking you back|spinner/)
  })
})

describe('an error', () => {
  it('keeps what a library says in English out of its sentences', () => {
    const error = { code: 'oidc.provider_error', message: 'Nein.', description: 'client is invalid' } as const
    const html = draw({ error, language: 'de', phrases: german.translation })
    expect(html).toContain('<p class="description">Nein.</p>')
    expect(html).toContain('<p class="detail">Fehlercode: oidc.provider_error (client is invalid)</p>')
  })

  it('of an interaction that can begin again sends nobody back', () => {
    const error = { code: 'session.not_found', message: 'Go back.' } as const
    const html = draw({ error, restartUrl: '/oidc/auth?client_id=x' })
    expect(html).toContain('This sign-in has expired or was already completed.')
    expect(html).not.toMatch(/go back/i)
    expect(draw({ error })).toContain('Go back.')
  })
})

describe('signing out', () => {
  const logout = { stage: 'asking', formAction: '/oidc/session/end/confirm', xsrf: 'x' } as const

  it('is declined by a link, which posts nothing', () => {
    const html = draw({ logout: { ...logout, needsQuestion: true } })
    expect(html).toMatch(/<a href="\/signed-in"[^>]*>.*Stay signed in/)
    expect(count(html, /<button type="submit"/g)).toBe(1)
  })

  it('is no fact until there is script', () => {
    const html = draw({ logout: { ...logout, needsQuestion: false } })
    expect(html).toContain('Sign out?')
    expect(html).not.toContain('Signing you out')
  })
})

it('draws an alert open, with a way back that needs no script', () => {
  const html = draw({
    path: '/register/password',
    navigation: ada,
    notice: { kind: 'alert', message: 'Taken', back: 1 },
  })
  expect(html).toMatch(/<dialog[^>]* open=""/)
  expect(html).toMatch(/<a[^>]*href="\/register\?interaction=uid"[^>]*><span class="button-label">Got it/)
})

it('shows what the visitor was sent here with, if it is a phrase of ours', () => {
  const sent = (key: string) => draw({ search: `?interaction=uid&notification=${key}` })
  expect(sent('demo_app.notification')).toContain('Create an account first to test the sign-in experience.')
  expect(sent('demo_app')).not.toContain('class="notification"')
  expect(sent('%3Cscript%3E')).not.toContain('class="notification"')
  // With a place for a value, and with a place for a link.
  expect(sent('action.bind')).not.toContain('class="notification"')
  expect(sent('description.agree_with_terms')).not.toContain('class="notification"')
})

it('signs without giving the interaction away', () => {
  expect(draw({})).toContain(`src=${encodeURIComponent('https://id.example.com/sign-in')}"`)
})

it('offers only what the settings allow', () => {
  expect(draw({})).toContain('href="/register?interaction=uid"')
  expect(draw({ experience: { ...experience, signInMode: 'SignIn' } })).not.toContain('/register')
  expect(draw({ path: '/register', experience: { ...experience, signInMode: 'Register' } })).not.toContain(
    '/sign-in',
  )
})

it('is drawn in the language of its phrases', () => {
  const html = draw({ language: 'de', phrases: german.translation })
  expect(html).toContain('Bei Ihrem Konto anmelden')
  expect(html).not.toMatch(/Sign in|Password|Username/)
})
