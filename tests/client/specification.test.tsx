import { describe, expect, it, vi } from 'vitest'
import { createTranslator } from '../../client/context/phrases.ts'
import type { Experience } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { bootExperience, testBootData, withTerms } from './boot-data.ts'
import { networkStub } from './network.ts'
import { renderElement } from './render.tsx'

/** Screens and sentences that the original specification describes. Each title quotes it. */

const github = {
  id: 'github',
  target: 'github',
  platform: 'Universal',
  name: { en: 'GitHub' },
  logo: '/connectors/github.svg',
  logoDark: '/connectors/github-dark.svg',
} as const
const withEverything: Experience = { ...withTerms, socialConnectors: [github] }
const renderPage = (page: Partial<BootData>) =>
  renderElement({ ...testBootData, experience: withEverything, ...page })

describe('the screens of the original specification', () => {
  it("sign-in: \"a 'create account' link when the mode is SignInAndRegister and sign-up methods exist, an 'or' divider with social buttons, and terms links\"", () => {
    const html = renderPage({})
    expect(html).toMatch(/<a [^>]*href="\/register\?interaction=uid"[^>]*>Create account<\/a>/)
    expect(html).toMatch(/<p class="or">or<\/p>.*Continue with GitHub/)
    expect(html).toContain('href="https://example.com/terms"')
    expect(html).toContain('href="https://example.com/privacy"')
    const signUp = { ...withEverything.signUp, identifiers: [] }
    expect(renderPage({ experience: { ...withEverything, signUp } })).not.toContain('/register')
    expect(renderPage({ experience: bootExperience })).not.toMatch(/class="or"|example\.com\/terms/)
  })

  it('register: "the identifier form with a terms checkbox and a \'have account\' link"', () => {
    const html = renderPage({ path: '/register' })
    expect(html).toMatch(/<input[^>]* name="identifier"/)
    expect(html).toMatch(/<input[^>]* name="termsAgreement"[^>]*>/)
    expect(html).toMatch(/Already have an account\?.*<a [^>]*href="\/sign-in\?interaction=uid"/)
  })

  it('register: "with no sign-up methods but social connectors, shows only social buttons with terms"', () => {
    const signUp = { ...withEverything.signUp, identifiers: [] }
    const html = renderPage({ path: '/register', experience: { ...withEverything, signUp } })
    expect(html).toContain('Continue with GitHub')
    expect(html).toMatch(/<input[^>]* name="termsAgreement"/)
    expect(html).not.toMatch(/name="identifier"|class="or"/)
  })

  it('consent: "shows the branding logo (light or dark by theme) and a spinner"', () => {
    const experience = {
      ...bootExperience,
      color: { ...bootExperience.color, isDarkModeEnabled: true },
      branding: { logoUrl: '/light.svg', darkLogoUrl: '/dark.svg' },
    }
    const html = renderPage({ path: '/sign-in/consent', experience })
    expect(html).toMatch(
      /<source media="\(prefers-color-scheme: dark\)" srcSet="\/dark\.svg"\/?>.*src="\/light\.svg"/,
    )
    expect(html).toContain('class="spinner')
  })

  it('continue: "method is password, username, email, phone or emailOrPhone. An unknown method shows a generic error."', () => {
    const signUp: Experience['signUp'] = {
      identifiers: ['username', 'email', 'phone'],
      password: true,
      verify: true,
    }
    const isError = (method: string) =>
      renderPage({ path: `/continue/${method}`, experience: { ...withEverything, signUp } }).includes(
        '404 Not Found',
      )
    const methods = ['password', 'username', 'email', 'phone', 'emailOrPhone', 'avatar', 'Password', 'name']
    expect(methods.filter(isError)).toEqual(['avatar', 'Password', 'name'])
  })

  it('callback: "shows the connector logo (dark logo in dark mode) with a loading indicator"', () => {
    const experience = { ...withEverything, color: { ...withEverything.color, isDarkModeEnabled: true } }
    const html = renderPage({ path: '/sign-in/social/github', experience })
    expect(html).toMatch(
      /<source media="\(prefers-color-scheme: dark\)" srcSet="\/connectors\/github-dark\.svg"\/?>.*src="\/connectors\/github\.svg"/,
    )
    expect(html).toContain('class="spinner')
  })

  it('any other path: "an optional message, a back button when history exists, and a light or dark empty-state illustration"', () => {
    const html = renderPage({ path: '/nowhere' })
    expect(html).toMatch(/<svg class="picture"/)
    expect(html).toMatch(/<p class="description">/)
    // The server does not know the history, so the browser makes the button usable.
    expect(html).toMatch(/<button type="button"[^>]* inert=""[^>]*>.*Go back/)
  })

  it('password form: "with a \'show password\' checkbox"', () => {
    const html = renderPage({ path: '/continue/password' })
    expect(html).toMatch(/<input[^>]*type="checkbox"[^>]*>.*Show password/)
  })
})

describe('the sentences of the original specification', () => {
  const t = createTranslator(testBootData)
  const email = { type: 'email', value: 'a@b.c' }

  it.each([
    ['error.invalid_session', 'Session not found. Please go back and sign in again.'],
    ['error.invalid_connector_request', 'The connector data is invalid'],
    ['error.invalid_passcode', 'The verification code is invalid'],
    // The advice follows the words of the specification.
    ['error.invalid_phone', 'The phone number is invalid. Check the country code and the number.'],
    ['error.password_required', 'Password is required'],
    ['description.no_region_code_found', 'No region code found'],
    ['demo_app.notification', 'Create an account first to test the sign-in experience.'],
    ['error.username_exists', 'Username already exists'],
    ['action.got_it', 'Got it'],
  ] as const)('%s is "%s"', (key, sentence) => {
    expect(t(key)).toBe(sentence)
  })

  it('"{types} is required" and "The {types} is invalid" name the types', () => {
    expect(t('error.general_required', { types: ['email'] })).toBe('email is required')
    expect(t('error.general_invalid', { types: ['email'] })).toBe('The email is invalid')
  })

  it('name the account: "The account with {type} {value} does not exist", "already exists", "is linked to another account"', () => {
    expect(t('description.sign_in_id_does_not_exist', email)).toMatch(
      /^The account with email a@b\.c does not exist/,
    )
    expect(t('description.create_account_id_exists', email)).toBe(
      'The account with email a@b.c already exists, would you like to sign in?',
    )
    expect(t('description.link_account_id_exists', email)).toBe(
      'The account with email a@b.c already exists. Would you like to link?',
    )
    expect(t('description.social_identity_exist', email)).toMatch(
      /email a@b\.c is linked to another account\. Please try another email\.$/,
    )
  })

  it('state the password rules: "minimum {min} characters", "with a mix of letters, numbers and symbols"', () => {
    expect(t('error.password_min_length', { min: 8 })).toMatch(/minimum of 8 characters$/)
    expect(t('error.invalid_password', { min: 8 })).toMatch(
      /minimum of 8 characters with a mix of letters, numbers and symbols$/,
    )
    expect(t('error.passwords_do_not_match')).toBe('Your passwords don’t match. Please try again.')
  })

  it('have the seven keys of the specification', () => {
    const keys = [
      ...['invalid_session', 'invalid_connector_request', 'invalid_connector_auth', 'password_required'],
      ...['passwords_do_not_match', 'general_required', 'general_invalid'],
    ]
    const phrases = testBootData.phrases.error
    expect(keys.filter((key) => typeof phrases !== 'object' || !phrases[key])).toEqual([])
  })

  it('include the screen texts: "sign in, create account, reset password, new password, …"', () => {
    const keys = [
      ...['sign_in', 'create_account', 'reset_password', 'new_password', 'set_password', 'password_changed'],
      ...['enter_passcode', 'enter_username', 'link_email', 'link_phone', 'link_email_or_phone'],
      'bind_account_title',
    ]
    const phrases = testBootData.phrases.description
    expect(keys.filter((key) => typeof phrases !== 'object' || !phrases[key])).toEqual([])
  })
})

it('"any other error shows the unknown-error text and is logged"', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const bug = new TypeError('undefined is not a function')
  const { api } = networkStub(bug)
  expect(await api.submit()).toMatchObject({ ok: false, error: { code: 'client.unknown' } })
  expect(logged).toHaveBeenCalledWith(bug)
  logged.mockRestore()
})
