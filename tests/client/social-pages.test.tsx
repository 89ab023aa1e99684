import { describe, expect, it } from 'vitest'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import { bootExperience, testBootData, withTerms } from './boot-data.ts'
import { phraseCatalogues } from './catalogues.ts'
import { renderElement } from './render.tsx'

const github = {
  id: 'github',
  target: 'github',
  platform: 'Universal',
  name: { en: 'GitHub', ko: '깃허브' },
  logo: '/connectors/github.svg',
  logoDark: '/connectors/github-dark.svg',
} as const
const withGithub = { ...bootExperience, socialConnectors: [github] }
const inDark = { ...withGithub, color: { ...bootExperience.color, isDarkModeEnabled: true } }

const renderPage = (page: Partial<BootData>) =>
  renderElement({ ...testBootData, experience: withGithub, ...page })
const buttons = (html: string) =>
  [...html.matchAll(/<span class="button-label">(.*?)<\/span>/g)].map(([, label = '']) =>
    label.replaceAll(/<[^>]*>/g, ''),
  )

describe('a social button', () => {
  it('shows the provider name in the page language, or else in English', () => {
    expect(buttons(renderPage({}))).toContain('Continue with GitHub')
    const phrases = phraseCatalogues.ko.translation
    expect(buttons(renderPage({ language: 'ko', phrases }))).toContain('깃허브 계정으로 계속')
    expect(buttons(renderPage({ language: 'de', phrases: phraseCatalogues.de.translation }))).toContain(
      'Weiter mit GitHub',
    )
  })

  it.each([
    { count: 3, list: 'social-list', hidden: 0 },
    { count: 4, list: 'social-row', hidden: 4 },
  ])(
    'shows only an icon if there are more than three buttons, but keeps its accessible name: $count',
    ({ count, list, hidden }) => {
      const socialConnectors = Array.from({ length: count }, (_, index) => ({
        ...github,
        id: `id-${index}`,
        target: `target-${index}`,
        name: { en: `Provider ${index}` },
      }))
      const html = renderPage({ experience: { ...bootExperience, socialConnectors } })
      expect(html).toContain(`<div class="${list}">`)
      expect(html.match(/<span class="visually-hidden">Continue with/g) ?? []).toHaveLength(hidden)
      expect(html.match(/title="Continue with Provider \d"/g) ?? []).toHaveLength(hidden)
      expect(buttons(html.replaceAll(/<span class="visually-hidden">(.*?)<\/span>/g, '$1'))).toContain(
        'Continue with Provider 2',
      )
    },
  )

  it('shows the logo that suits the theme', () => {
    const source = /<source media="\(prefers-color-scheme: dark\)" srcSet="\/connectors\/github-dark.svg"/
    expect(renderPage({ experience: inDark })).toMatch(source)
    expect(renderPage({})).not.toMatch(source)
    expect(renderPage({})).toContain('<img src="/connectors/github.svg" alt=""/>')
  })

  it('submits the connector and the intent', () => {
    const html = renderPage({})
    expect(html).toContain('<input type="hidden" name="intent" value="social"/>')
    expect(html).toMatch(
      /<button[^>]*name="connectorId"[^>]*value="github"|<button[^>]*value="github"[^>]*name="connectorId"/,
    )
  })

  it('has an error about the terms if no other form can show it', () => {
    const alone = {
      ...withTerms,
      socialConnectors: [github],
      signUp: { ...bootExperience.signUp, identifiers: [] },
    }
    const html = renderPage({
      path: '/register',
      experience: alone,
      notice: { kind: 'inline', field: 'termsAgreement', message: 'Please agree.' },
    })
    expect(html).toContain('Please agree.')
    expect(html.match(/name="termsAgreement"/g)).toHaveLength(1)
  })
})

describe('the pages before and after a provider', () => {
  const path = '/sign-in/social/github'
  const search = '?code=a%26b&state=s&interaction=uid'

  it("contain the provider's response in a form for browsers without JavaScript", () => {
    const html = renderPage({ path, search })
    expect(html).toContain('<h1 class="title">Signing you in with GitHub…</h1>')
    expect(html).toContain(
      'action="/sign-in/social/github?code=a%26b&amp;state=s&amp;interaction=uid" method="post"',
    )
    expect(buttons(html)).toEqual(['Continue'])
    expect(html).not.toContain('vestibule-signature')
  })

  it('link to the provider', () => {
    const html = renderPage({ path, onward: 'https://github.com/login?a=b' })
    expect(html).toContain('Taking you to GitHub…')
    expect(html).toContain('href="https://github.com/login?a=b"')
    expect(html).not.toContain('<form')
  })

  it('show an unknown connector’s id', () => {
    expect(renderPage({ path: '/sign-in/social/other', search })).toContain('Signing you in with other…')
  })

  it('ask the user to agree to the terms, link to them, and have a cancel button', () => {
    const html = renderPage({
      path,
      search,
      experience: { ...withTerms, socialConnectors: [github] },
      notice: {
        kind: 'confirm',
        message: 'Agree to <link></link>',
        yes: 'Agree',
        intent: 'agree',
        back: 1,
        about: 'terms',
      },
    })
    expect(html).toMatch(/Agree to .*<a class="link terms-link" href="https:\/\/example.com\/terms"/)
    expect(html).toContain('href="/sign-in?interaction=uid"')
    expect(html).toContain('name="intent" value="agree"')
    expect(buttons(html)).toEqual(['Cancel', 'Agree'])
  })
})

describe('the page to link an account', () => {
  const path = '/social/link/github'
  const navigation = { relatedUser: { type: 'email', value: 'adalovelace@example.com' } } as const
  const asking = (...identifiers: IdentifierType[]) => ({
    ...withGithub,
    signUp: { identifiers, password: false, verify: true },
  })

  it.each([
    { identifiers: [], sentence: 'Not yours?' },
    { identifiers: ['username'], sentence: 'Not yours?' },
    { identifiers: ['email'], sentence: 'Not yours? Use a different email.' },
    { identifiers: ['phone'], sentence: 'Not yours? Use a different phone number.' },
    { identifiers: ['email', 'phone'], sentence: 'Not yours? Use a different email or phone number.' },
  ] as const)(
    'says "$sentence" above the second button if the sign-up identifiers are [$identifiers]',
    ({ identifiers, sentence }) => {
      const html = renderPage({ path, navigation, experience: asking(...identifiers) })
      expect(html).toContain(`<p class="description alternative">${sentence}</p>`)
      expect(buttons(html)).toEqual(['Link to adal****@example.com', 'Create a new account'])
    },
  )

  it.each([
    {
      ...navigation,
      sentence: 'An account with this email already exists.',
      address: 'adal****@example.com',
    },
    {
      relatedUser: { type: 'phone', value: '4915112345678' },
      sentence: 'An account with this phone number already exists.',
      address: '****5678',
    },
  ] as const)(
    'names the provider and the account, whose $relatedUser.type is masked',
    ({ relatedUser, sentence, address }) => {
      const html = renderPage({ path, navigation: { relatedUser } })
      expect(html).toContain('>Is this your account?</h1>')
      expect(html).toContain('<img src="/connectors/github.svg" alt=""/>')
      expect(html).toContain(`${sentence} Link GitHub to it?`)
      expect(html).toContain(`${address}</bdi>`)
      expect(html).not.toContain(relatedUser.value)
    },
  )

  it.each([
    { what: 'the navigation state', page: { path }, title: 'Missing relate account info' },
    { what: 'an interaction', page: { path, interaction: null }, title: 'Missing relate account info' },
    { what: 'a connector id', page: { path: '/social/link', navigation }, title: 'Connector not found' },
    {
      what: 'a connector id after the slash',
      page: { path: '/social/link/', navigation },
      title: 'Connector not found',
    },
    {
      what: 'a known connector',
      page: { path: '/social/link/other', navigation },
      title: 'Connector not found',
    },
  ])('shows "$title" if the page is opened without $what', ({ page, title }) => {
    const html = renderPage(page)
    expect(html).toContain(`>${title}</h1>`)
    expect(html).not.toContain('<form')
  })
})
