import { describe, expect, it } from 'vitest'
import german from '../../locales/de.json'
import english from '../../locales/en.json'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import type { MessageTone } from '../../src/contract/interactions/interaction.ts'
import { trimBootData } from '../../src/web/pages/boot-data.ts'
import { adaIdentifier, bootExperience, testBootData, withTerms } from './boot-data.ts'
import { phraseCatalogues } from './catalogues.ts'
import { everyPage } from './markup-pages.ts'
import { renderElement } from './render.tsx'

const renderPage = (page: Partial<BootData>) => renderElement({ ...testBootData, ...page })
const inputNamed = (html: string, name: string) =>
  html.match(new RegExp(`<input[^>]* name="${name}"[^>]*>`))?.[0] ?? ''
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

describe.each(everyPage)('the page "$name"', (page) => {
  const html = renderPage(page)

  it('has no inline scripts or styles, so the content security policy can forbid them', () => {
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/)
  })

  it('has one main landmark and one heading', () => {
    expect([count(html, /<main/g), count(html, /<h1/g)]).toEqual([1, 1])
  })

  it('submits every form with POST, and keeps the interaction in all URLs', () => {
    const ours = page.logout ? '/oidc/' : `interaction=${testBootData.interaction}"`
    for (const [, attributes = '', content = ''] of html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
      if (attributes.includes('method="dialog"')) continue
      // A search changes nothing.
      if (attributes.includes('method="get"')) {
        expect(content).toContain('<input type="hidden" name="interaction" value="uid"/>')
        continue
      }
      expect(attributes).toContain('method="post"')
      expect(attributes).toContain(ours)
    }
    for (const [, href] of html.matchAll(/<a[^>]*href="(\/(?:sign-in|register)[^"]*)"/g)) {
      expect(href).toContain('?interaction=uid')
    }
  })
})

it('a form has a hidden field with the interaction', () => {
  expect(renderPage({})).toContain('<input type="hidden" name="interaction" value="uid"/>')
})

it('fields have the names that password managers expect', () => {
  expect(inputNamed(renderPage({}), 'identifier')).toContain('autoComplete="username"')
  expect(inputNamed(renderPage({}), 'password')).toContain('autoComplete="current-password"')
  const password = renderPage({ path: '/register/password', navigation: adaIdentifier })
  expect(password).toMatch(/autoComplete="username"[^>]*value="ada"/i)
  expect(count(password, /autoComplete="new-password"/gi)).toBe(2)
})

it.each(['app', 'backup-code', 'passkey', 'phone'])(
  '/second-factor/%s explains why the sign-in is unusual',
  (way) => {
    const page = { path: `/second-factor/${way}`, search: '?factors=passkey,totp,phone,backupCode' }
    expect(renderPage(page)).not.toContain('looks different from usual')
    const search = `${page.search}&unusual=true`
    const sent = trimBootData({ ...testBootData, ...page, search })
    expect(renderPage({ ...page, search, phrases: sent.phrases ?? {} })).toContain(
      'looks different from usual',
    )
  },
)

it('the page about networks names the organization only if its name is known', () => {
  const describe = (branding: BootData['experience']['branding']) =>
    renderPage({ path: '/sign-in/network', experience: { ...bootExperience, branding } })
  expect(describe({ name: 'Acme' })).toContain('Acme can only be used from certain networks.')
  expect(describe({})).toContain('>This organization can only be used from certain networks.')
})

it('the registration page asks for agreement only if the tenant has terms', () => {
  expect(renderPage({ path: '/register' })).not.toContain('termsAgreement')
  expect(inputNamed(renderPage({ path: '/register', experience: withTerms }), 'termsAgreement')).toMatch(
    /required="" type="checkbox"/,
  )
})

describe('a form that the server has rejected', () => {
  const html = renderPage({
    notice: { kind: 'inline', field: 'password', message: 'Wrong.' },
    values: { identifier: 'ada' },
  })

  it('shows the error next to its field and exposes it to assistive technology', () => {
    expect(html).toContain('<p class="field-problem" id="password-problem" role="alert">Wrong.<')
    expect(inputNamed(html, 'password')).toMatch(/aria-invalid="true" aria-describedby="password-problem"/)
  })

  it('keeps the values of its fields', () => {
    expect(inputNamed(html, 'identifier')).toContain('value="ada"')
  })
})

it('focuses only the rejected field if JavaScript is off', () => {
  const focused = (html: string) => [...html.matchAll(/<input[^>]*autofocus[^>]*>/gi)].map(([input]) => input)
  const notice = { kind: 'inline', field: 'termsAgreement', message: 'Please.' } as const
  expect(focused(renderPage({}))).toEqual([])
  expect(focused(renderPage({ notice: { ...notice, field: 'password' } }))).toEqual([
    expect.stringContaining('name="password"'),
  ])
  expect(focused(renderPage({ path: '/register', experience: withTerms, notice }))).toEqual([
    expect.stringContaining('name="termsAgreement"'),
  ])
})

/** spec/experience#brand-name */
describe('the brand name', () => {
  it.each([
    { branding: { logoUrl: '/logo.svg' }, alt: '', title: 'Sign in to your account' },
    {
      branding: { logoUrl: '/logo.svg', name: '"><b>Acme' },
      alt: '&quot;&gt;&lt;b&gt;Acme',
      title: 'Sign in to &quot;&gt;&lt;b&gt;Acme',
    },
  ])("is the logo's alternative text, and appears in the heading: $title", ({ branding, alt, title }) => {
    const html = renderPage({ experience: { ...bootExperience, branding } })
    expect(html).toContain(`alt="${alt}"`)
    expect(html).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
  })
})

describe('the place of the logo', () => {
  const placeOf = (branding: object) =>
    /class="vestibule-branding">(.*?)<\/(?:div|picture)>/.exec(
      renderPage({ experience: { ...bootExperience, branding }, origin: 'https://id.example.com' }),
    )?.[1]

  it('has the brand name if there is no logo, or else the first letter of the domain', () => {
    expect(placeOf({ name: 'Acme' })).toBe('<span class="logo" dir="auto">Acme</span>')
    expect(placeOf({})).toBe('<span class="logo monogram" aria-hidden="true">E</span>')
    expect(placeOf({ logoUrl: '/logo.svg', name: 'Acme' })).toMatch(/^<img[^>]*alt="Acme"/)
  })
})

describe('the consent page', () => {
  it.each([
    { length: 40, title: '' },
    { length: 41, title: ` title="${'x'.repeat(41)}"` },
  ])('has a name of $length characters in full in its heading', ({ length, title }) => {
    const { consent = null, ...page } = everyPage.find(({ name }) => name.endsWith('third party')) ?? {}
    const application = consent && { ...consent.application, name: 'x'.repeat(length) }
    const html = renderPage({ ...page, consent: consent && application && { ...consent, application } })
    const name = /<h1[^>]*>.*?<bdi class="[^"]*"(.*?)<\/bdi>/s.exec(html)?.[1]
    expect(name).toBe(`${title}>${'x'.repeat(length)}`)
  })

  it('shows an error without claiming to redirect the user', () => {
    const notice = { kind: 'inline', field: null, message: 'Not now.' } as const
    const html = renderPage({ path: '/sign-in/consent', notice })
    expect(html).toContain('Something went wrong')
    expect(html).toMatch(/role="alert">Not now\.</)
    expect(html).toContain('Try again')
    expect(html).not.toMatch(/signed in|Taking you back|spinner/)
  })
})

describe('an error page', () => {
  it("shows a library's English description only next to the error code", () => {
    const error = { code: 'oidc.provider_error', message: 'Nein.', description: 'client is invalid' } as const
    const html = renderPage({ error, language: 'de', phrases: german.translation })
    expect(html).toContain('<p class="description">Nein.</p>')
    expect(html).toContain('<p class="detail">Fehlercode: oidc.provider_error (client is invalid)</p>')
  })

  it('does not suggest going back if the interaction can be restarted', () => {
    const error = { code: 'session.not_found', message: 'Go back.' } as const
    const html = renderPage({ error, restartUrl: '/oidc/auth?client_id=x' })
    expect(html).toContain('This sign-in has expired or was already completed.')
    expect(html).not.toMatch(/go back/i)
    expect(renderPage({ error })).toContain('Go back.')
  })

  it('suggests opening the application only if the sign-in cannot be restarted', () => {
    const page = (restartUrl: string | null) => renderPage({ path: '/unknown-session', restartUrl })
    expect(page(null)).toContain('Open the app you want to use')
    expect(page('/oidc/auth?client_id=x')).not.toContain('Open the app')
    expect(page('/oidc/auth?client_id=x')).toContain('Start again')
  })

  it('begins with the specified sentence and then gives the reason if there is no interaction', () => {
    // "'Session not found. Please go back and sign in again.'"
    expect(renderPage({ path: '/unknown-session', restartUrl: '/oidc/auth?client_id=x' })).toMatch(
      /<h1[^>]*>This sign-in can’t continue<\/h1><p class="description">Session not found\. Please go back and sign in again\.<\/p><p class="description">It expired, [^<]+<\/p><a [^>]+>.*Start again/,
    )
  })

  it('has the specified title if there is no page, and gives the reason', () => {
    // "a not-found screen titled '404 Not Found' with an optional message, a back button when history exists"
    expect(renderPage({ path: '/nowhere' })).toMatch(
      /<h1[^>]*>404 Not Found<\/h1><p class="description">The page you’re looking for doesn’t exist or has moved\.<\/p>.*Go back/,
    )
  })
})

describe('the first page of a sign-in', () => {
  const label = (identifiers: readonly IdentifierType[]) => {
    const methods = identifiers.map((identifier) => ({ identifier, ...withCode }))
    const html = renderPage({ experience: { ...bootExperience, signIn: { methods } } })
    return /for="identifier">([^<]*)/.exec(html)?.[1]
  }
  const withCode = { password: true, verificationCode: true, isPasswordPrimary: true }

  it.each<[IdentifierType[], string]>([
    [['username'], 'Username'],
    [['email'], 'Email'],
    [['phone'], 'Phone number'],
    [['phone', 'email'], 'Email or phone'],
    [['username', 'email'], 'Email or username'],
    [['username', 'phone'], 'Phone or username'],
    [['username', 'email', 'phone'], 'Email, phone or username'],
  ])('lists the accepted identifiers in the field label: %s', (identifiers, name) => {
    expect(label(identifiers)).toBe(name)
    expect(label(identifiers.toReversed())).toBe(name)
  })

  it('has a "Continue" button if another step follows, and otherwise a "Sign in" button', () => {
    const submit = (page: Partial<BootData>) =>
      /name="submit"><span class="button-label">([^<]*)/.exec(renderPage(page))?.[1]
    const methods = [{ identifier: 'email', ...withCode } as const]
    expect(submit({ experience: { ...bootExperience, signIn: { methods } } })).toBe('Continue')
    expect(submit({ path: '/register' })).toBe('Continue')
    expect(submit({})).toBe('Sign in')
  })
})

describe('a final page', () => {
  const ends: Record<string, Partial<BootData>> = {
    expired: { error: { code: 'session.not_found', message: 'Over.' } },
    failed: { error: { code: 'oidc.provider_error', message: 'No.' } },
    notFound: { path: '/nowhere' },
    signedOut: { logout: { stage: 'done' } },
    done: { path: '/signed-in' },
  }
  const pictureOf = (page: Partial<BootData>) =>
    /<svg class="picture"[^>]*>.*?<\/svg>/.exec(renderPage(page))?.[0] ?? ''

  it.each(Object.entries(ends))('has a decorative image hidden from screen readers: %s', (_, page) => {
    expect(pictureOf(page)).toMatch(/^<svg class="picture" [^>]*aria-hidden="true" focusable="false">/)
    expect(renderPage(page).match(/class="picture"/g)).toHaveLength(1)
  })

  it('has a unique image', () => {
    expect(new Set(Object.values(ends).map(pictureOf)).size).toBe(Object.keys(ends).length)
    expect(pictureOf({ path: '/unknown-session' })).toBe(pictureOf(ends.expired ?? {}))
  })
})

describe('signing out', () => {
  const logout = { stage: 'asking', formAction: '/oidc/session/end/confirm', xsrf: 'x' } as const

  it('can be cancelled with a link that submits no form', () => {
    const html = renderPage({ logout: { ...logout, needsQuestion: true } })
    expect(html).toMatch(/<a href="\/signed-in"[^>]*>.*Stay signed in/)
    expect(count(html, /<button type="submit"/g)).toBe(1)
  })

  it('requires confirmation without JavaScript', () => {
    const html = renderPage({ logout: { ...logout, needsQuestion: false } })
    expect(html).toContain('Sign out?')
    expect(html).not.toContain('Signing you out')
  })
})

it('the passkey page offers a passkey only with JavaScript, but always offers to continue', () => {
  const html = renderPage({ path: '/sign-in/passkey', navigation: { onward: 'https://app.example' } })
  const [hidden = '', shown = ''] = html.split('<div class="needs-script">')[1]?.split('</div>') ?? []
  expect([hidden, shown].map((part) => part.includes('Create a passkey'))).toEqual([true, false])
  expect([hidden, shown].map((part) => part.includes('Not now'))).toEqual([false, true])
})

it('the server renders an alert as open, with a link to go back that works without JavaScript', () => {
  const html = renderPage({
    path: '/register/password',
    navigation: adaIdentifier,
    notice: { kind: 'alert', message: 'Taken', back: 1 },
  })
  expect(html).toMatch(/<dialog[^>]* open=""/)
  expect(html).toMatch(/<a[^>]*href="\/register\?interaction=uid"[^>]*><span class="button-label">Got it/)
})

it.each([
  ['Create', 'Create account'],
  ['Sign in', 'You already have an account'],
  ['Link and continue', 'You already have an account'],
  ['Agree', 'Before you continue'],
])('the confirmation dialog with the button "%s" has the title "%s"', (yes, title) => {
  const notice = { kind: 'confirm', message: 'Well?', yes, intent: 'register', back: 1 } as const
  const html = renderPage({ path: '/sign-in/verification-code', navigation: adaIdentifier, notice })
  expect(html).toMatch(new RegExp(`<dialog.*<h2[^>]*>${title.replace('?', '[?]')}</h2>`))
})

it('a notification in the URL is shown only if it names a phrase without placeholders', () => {
  const sent = (key: string) => renderPage({ search: `?interaction=uid&notification=${key}` })
  expect(sent('demo_app.notification')).toContain('Create an account first to test the sign-in experience.')
  expect(sent('demo_app')).not.toContain('class="notification"')
  expect(sent('%3Cscript%3E')).not.toContain('class="notification"')
  // The first phrase has a placeholder for a value, and the second one for a link.
  expect(sent('action.bind')).not.toContain('class="notification"')
  expect(sent('description.agree_with_terms')).not.toContain('class="notification"')
})

it('the "powered by" link does not contain the interaction', () => {
  expect(renderPage({})).toContain(`src=${encodeURIComponent('https://id.example.com/sign-in')}"`)
})

it('the pages link to sign-in and registration only if the sign-in mode allows them', () => {
  expect(renderPage({})).toContain('href="/register?interaction=uid"')
  expect(renderPage({ experience: { ...bootExperience, signInMode: 'SignIn' } })).not.toContain('/register')
  expect(
    renderPage({ path: '/register', experience: { ...bootExperience, signInMode: 'Register' } }),
  ).not.toContain('/sign-in')
})

it('a page is rendered in the selected language', () => {
  const html = renderPage({ language: 'de', phrases: german.translation })
  expect(html).toContain('Bei Ihrem Konto anmelden')
  expect(html).not.toMatch(/Sign in|Password|Username/)
})

/** Tests the links to the tenant's support contact (spec/experience#support-contact). */
const MAIL = 'help@northwind.example'
const SITE = 'https://help.northwind.example/?from=sign-in'

/** Renders a page with the phrases that the browser receives. */
function renderTrimmed(page: Partial<BootData>, supportContact: string | undefined = undefined) {
  const boot = {
    ...testBootData,
    ...page,
    experience: { ...bootExperience, ...page.experience, supportContact },
  }
  return renderElement({ ...boot, phrases: trimBootData(boot).phrases ?? {} })
}

const linksTo = (html: string, href: string) =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/g)]
    .filter(([, url]) => url === href)
    .map(([, , text = '']) => text.replaceAll(/<[^>]*>/g, ''))

const withProblem = (message: string, tone?: MessageTone): Partial<BootData> => ({
  notice: { kind: 'inline', field: null, message, tone },
})
const SUSPENDED = english.errors.user.suspended

describe('the support contact', () => {
  it.each(
    everyPage.filter(({ path }) => path !== '/sign-in/consent' && !path?.startsWith('/sign-in/social')),
  )('is linked in the footer of the page "$name", if the tenant has one', (page) => {
    const footerOf = (html: string) => /<footer.*<\/footer>/s.exec(html)?.[0] ?? ''
    if (!footerOf(renderTrimmed(page))) return
    expect(linksTo(footerOf(renderTrimmed(page, MAIL)), `mailto:${MAIL}`)).toEqual(['Contact support'])
    expect(renderTrimmed(page)).not.toContain('Contact support')
  })

  it('can be a web page, which opens in a new tab so that nothing entered is lost', () => {
    const html = renderTrimmed({}, SITE)
    expect(linksTo(html, SITE)).toEqual(['Contact support (opens in a new tab)'])
    expect(html).toMatch(/<a [^>]*href="https:\/\/help\.[^"]*"[^>]* target="_blank"[^>]* rel="noopener"/)
  })

  it('is linked in the message about a suspended account', () => {
    const banner = (contact?: string) =>
      /<div class="banner".*?<\/div><\/div>/s.exec(renderTrimmed(withProblem(SUSPENDED), contact))?.[0] ?? ''
    expect(linksTo(banner(MAIL), `mailto:${MAIL}`)).toEqual([
      'Contact support if you think this is a mistake.',
    ])
    expect(banner(MAIL)).toContain('<p>This account is suspended. <a ')
    expect(banner()).toContain(`<p>${SUSPENDED}</p>`)
  })

  it('is linked below other messages about a form, such as that of too many attempts', () => {
    const message = 'Too many attempts. Please try again in 9 minutes.'
    expect(linksTo(renderTrimmed(withProblem(message), MAIL), `mailto:${MAIL}`)).toHaveLength(2)
    expect(renderTrimmed(withProblem(message))).toContain(`<p>${message}</p>`)
  })

  it('is not linked in the message that there is no connection', () => {
    const html = renderTrimmed(withProblem(english.translation.vestibule.offline, 'offline'), MAIL)
    expect(linksTo(html, `mailto:${MAIL}`)).toHaveLength(1)
  })

  it('is a button on error pages', () => {
    const error = { code: 'server.internal', message: 'Something broke.' } as const
    expect(linksTo(renderTrimmed({ error }, MAIL), `mailto:${MAIL}`)).toEqual([
      'Contact support',
      'Contact support',
    ])
  })

  it.each(Object.entries(phraseCatalogues))(
    'is found in the message about a suspended account in %s',
    (_, { translation, errors }) => {
      const { suspended_help: advice } = translation.vestibule
      expect(errors.user.suspended.split(advice)).toEqual([expect.stringMatching(/\S/), ''])
    },
  )
})

/** Tests the page for users who can use none of their second factors (spec/pages#recovery). */
describe('the page for users without a usable second factor', () => {
  const lost: Partial<BootData> = {
    path: '/second-factor/recovery',
    search: '?interaction=uid&factors=totp,backupCode',
    navigation: {
      secondFactor: {
        account: { type: 'email', value: 'emma.stone@example.com' },
        targets: {},
        requestedAt: Date.UTC(2026, 10, 27, 23, 14, 59),
      },
    },
  }
  const branded = { ...bootExperience, branding: { name: 'Northwind Bank' } }

  it('says what to tell support, and puts it into the email', () => {
    const html = renderTrimmed({ ...lost, experience: branded }, MAIL)
    for (const value of ['emma****@example.com', '2026-11-27 23:14 UTC', 'uid'])
      expect(html).toContain(`<dd><bdi>${value}</bdi></dd>`)
    const body = encodeURIComponent(
      'Account: emma****@example.com\r\nTime: 2026-11-27 23:14 UTC\r\nReference: uid',
    )
    expect(linksTo(html, `mailto:${MAIL}?body=${body}`)).toEqual(['Contact support'])
    expect(linksTo(renderTrimmed(lost, SITE), SITE)).toHaveLength(2)
  })

  it('names the people who run the service if the tenant has no support contact', () => {
    const html = renderTrimmed({ ...lost, experience: branded })
    expect(html).toContain('<h2>Ask the people who run Northwind Bank</h2>')
    expect(html).not.toContain('Contact support')
    expect(renderTrimmed(lost)).toContain('Ask the people who run id.example.com')
  })

  it('changes nothing: it has no form, with or without JavaScript (ADR-0175)', () => {
    expect(renderTrimmed(lost, MAIL)).not.toMatch(/<form|<button/)
  })

  it('still says what will happen if the browser no longer has the state of the interaction', () => {
    const html = renderTrimmed({ ...lost, navigation: null })
    expect(html).toContain('They make sure that it’s really you.')
    expect(html).not.toContain('UTC')
  })

  it.each([
    { search: '&factors=totp,backupCode', rememberDays: undefined, codes: true, browser: true },
    { search: '&factors=totp', rememberDays: 0, codes: false, browser: false },
    { search: '&factors=totp&unusual=true', rememberDays: undefined, codes: false, browser: false },
  ])('names only what may help: %o', ({ search, rememberDays, codes, browser }) => {
    const experience = { ...bootExperience, ...(rememberDays !== undefined && { rememberDays }) }
    const html = renderTrimmed({ ...lost, search: `?interaction=uid${search}`, experience })
    expect(html.includes('Use a backup code')).toBe(codes)
    expect(html.includes('Try a browser')).toBe(browser)
  })
})
