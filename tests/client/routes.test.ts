import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findJourney, loadJourneys } from '../../client/app/find-journey.ts'
import { choosePage, findPreviousPath } from '../../client/app/page-choice.ts'
import { pageTitle } from '../../client/app/page-title.ts'
import { findPage, pageTable } from '../../client/app/routes.ts'
import { connectorIdFromPath } from '../../client/context/paths.ts'
import { factorOptions, linkToFactorOption } from '../../client/factors/ways.ts'
import german from '../../locales/de.json'
import { getDocumentTitle } from '../../src/web/pages/page.ts'
import { screenGroups, screensElsewhere } from '../journeys/screens.ts'
import { adaIdentifier, bootExperience, testBootData } from './boot-data.ts'
import { everyPage } from './markup-pages.ts'

describe('page titles', () => {
  // The specification: "Paths starting with /sign-in, /callback or /consent: 'sign in'. Paths starting with /register
  // or /social/link: 'create account'. Paths starting with /forgot-password: 'reset password'."
  it.each([
    ['/sign-in', 'Sign in'],
    ['/sign-in/consent', 'Sign in'],
    ['/sign-in/passkey', 'Sign in'],
    ['/sign-in/nowhere', 'Sign in'],
    ['/callback/', 'Sign in'],
    ['/consent', 'Sign in'],
    ['/register', 'Create account'],
    ['/register/password', 'Create account'],
    ['/register/nowhere', 'Create account'],
    ['/social/link/github', 'Create account'],
    ['/social/link', 'Create account'],
    ['/forgot-password', 'Reset your password'],
    ['/forgot-password/nowhere', 'Reset your password'],
  ])('match the path, even if it has no page: %s is titled "%s"', (path, title) => {
    expect(pageTitle({ ...testBootData, path })).toBe(title)
  })

  // The specification: "Other paths: the product name". The heading comes first, because a tab shows little else.
  it.each([
    ['/', '404 Not Found · Vestibule'],
    ['/nowhere', '404 Not Found · Vestibule'],
    ['/social/nowhere', '404 Not Found · Vestibule'],
    ['/unknown-session', 'This sign-in can’t continue · Vestibule'],
    ['/springboard', 'Return to your app · Vestibule'],
    ['/signed-in', 'You’re still signed in · Vestibule'],
    ['/signed-in?state=change-password', 'You’re signed in · Vestibule'],
    ['/second-factor', 'Confirm it’s you · Vestibule'],
    ['/second-factor/choose', 'Try another way · Vestibule'],
    ['/second-factor/recovery', 'Get back into your account · Vestibule'],
    ['/second-factor/set-up', 'Protect your account · Vestibule'],
    ['/second-factor/backup-codes', 'Save your backup codes · Vestibule'],
  ])('consist of the heading and the product name: %s is titled "%s"', (address, title) => {
    const { pathname: path, search } = new URL(address, testBootData.origin)
    expect(pageTitle({ ...testBootData, path, search })).toBe(title)
  })

  it.each([
    [{ event: 'Register' }, 'Create account'],
    [{ event: 'SignIn' }, 'Sign in'],
    [null, 'Sign in'],
  ] as const)('depend on the event while an account is completed: %o', (navigation, title) => {
    for (const path of ['/continue/email', '/continue/nowhere'])
      expect(pageTitle({ ...testBootData, path, navigation })).toBe(title)
  })

  it('name the message that JavaScript shows instead of a page', () => {
    expect(pageTitle(testBootData, 'vestibule.expired_title')).toBe('Sign in · This page has expired')
  })

  const atProvider = { path: '/oidc/session/end' }
  it.each([
    ['Sign in · This page has expired', { error: { code: 'session.not_found', message: '' } }],
    ['Sign in · Something went wrong', { error: { code: 'server.internal', message: '' } }],
    ['Something went wrong · Vestibule', { ...atProvider, error: { code: 'server.internal', message: '' } }],
    ['You’re signed out · Vestibule', { ...atProvider, logout: { stage: 'done' } }],
    [
      'Sign out? · Vestibule',
      { ...atProvider, logout: { stage: 'asking', formAction: '', xsrf: '', needsQuestion: true } },
    ],
    ['Sign in', {}],
  ] as const)('are "%s" for the boot data %o', (title, bootData) => {
    expect(getDocumentTitle({ ...testBootData, ...bootData })).toBe(title)
  })

  it('are in the page’s language', () => {
    const page = { language: 'de', phrases: german.translation }
    expect(pageTitle({ ...page, path: '/sign-in' })).toBe('Anmelden')
    expect(pageTitle({ ...page, path: '/nowhere' })).toBe('404 Nicht gefunden · Vestibule')
  })
})

describe('the title of a page with a brand name', () => {
  const experience = { ...bootExperience, branding: { name: 'Acme' } }

  it.each([
    ['/sign-in', 'Sign in to Acme'],
    ['/sign-in/nowhere', 'Sign in to Acme'],
    ['/register', 'Create account · Acme'],
    ['/unknown-session', 'This sign-in can’t continue · Acme'],
    ['/nowhere', '404 Not Found · Acme'],
  ])('contains the brand name: %s is titled "%s"', (path, title) => {
    expect(pageTitle({ ...testBootData, path, experience })).toBe(title)
  })

  it.each([
    ['/sign-in', 'Sign in to Acme · This page has expired'],
    ['/register', 'Create account · Acme · This page has expired'],
  ])('names the message that is shown instead of the page: %s is titled "%s"', (path, title) => {
    expect(pageTitle({ ...testBootData, path, experience }, 'vestibule.expired_title')).toBe(title)
  })
})

describe('the title of a page with an error', () => {
  const notice = { kind: 'inline', field: 'password', message: 'Wrong.' } as const

  it('begins with the error message', () => {
    expect(pageTitle({ ...testBootData, notice })).toBe('Error: Sign in')
    expect(pageTitle({ ...testBootData, notice, language: 'de', phrases: german.translation })).toBe(
      'Fehler: Anmelden',
    )
  })
})

describe('choosing a page', () => {
  const only = (signInMode: 'SignIn' | 'Register') => ({ ...bootExperience, signInMode })

  it.each([
    { path: '/sign-in', experience: bootExperience, navigation: null, choice: 'page' },
    { path: '/register', experience: bootExperience, navigation: null, choice: 'page' },
    { path: '/register/password', experience: bootExperience, navigation: adaIdentifier, choice: 'page' },
    { path: '/register/password', experience: bootExperience, navigation: null, choice: 'navigationMissing' },
    { path: '/signed-in', experience: bootExperience, navigation: null, choice: 'page' },
    { path: '/nowhere', experience: bootExperience, navigation: null, choice: 'notFound' },
    { path: '/sign-in', experience: only('Register'), navigation: null, choice: 'redirect', to: '/register' },
    { path: '/register', experience: only('SignIn'), navigation: null, choice: 'redirect', to: '/sign-in' },
    { path: '/register/password', experience: only('SignIn'), navigation: adaIdentifier, choice: 'notFound' },
    {
      path: '/register/password',
      experience: {
        ...bootExperience,
        signUp: { ...bootExperience.signUp, identifiers: ['email' as const] },
      },
      navigation: adaIdentifier,
      choice: 'notFound',
    },
  ])('results in a $choice for the path $path', ({ path, experience, navigation, choice, to }) => {
    const chosen = choosePage(path, { experience, navigation })
    expect(chosen.kind).toBe(choice)
    if (chosen.kind === 'redirect') expect(chosen.path).toBe(to)
  })
})

it('the page table determines the previous page', () => {
  expect(findPreviousPath('/register/password', 1)).toBe('/register')
  expect(findPreviousPath('/register/password', 2)).toBeNull()
  expect(findPreviousPath('/forgot-password/reset', 2)).toBe('/sign-in')
  expect(findPreviousPath('/continue/verification-code', 2, { event: 'Register' })).toBe('/register')
  expect(findPreviousPath('/sign-in', 1)).toBeNull()
})

describe('a row in the page table', () => {
  it.each(pageTable)('loads the page at $path with its flows, if any', async (row) => {
    expect((await row.load()).default).toBeTypeOf('function')
    expect((await loadJourneys(row))?.send).toBeTypeOf(row.journeys ? 'function' : 'undefined')
  })

  it('refers to an existing page file', async () => {
    for (const { page, load } of pageTable) {
      expect(load).toBe(pageTable.find((row) => row.page === page)?.load)
      expect(existsSync(`client/pages/${page}.tsx`)).toBe(true)
    }
  })

  it('is tested both as markup and in a browser (add new pages to both lists)', () => {
    const rowAt = (path: string) => findPage(path)?.path
    const asMarkup = new Set(everyPage.map(({ path = '/sign-in' }) => rowAt(path)))
    const inBrowser = new Set(
      screenGroups.flatMap(({ screens }) => screens.map(([path]) => rowAt(`/${path}`))),
    )
    expect(pageTable.filter(({ path }) => !asMarkup.has(path))).toEqual([])
    expect(pageTable.filter(({ path }) => !inBrowser.has(path) && !screensElsewhere[path])).toEqual([])
    for (const file of Object.values(screensElsewhere))
      expect(existsSync(`tests/journeys/${file}`)).toBe(true)
  })

  it.each(factorOptions)('exists for the link to the second factor %s, and is tested as markup', (option) => {
    const to = linkToFactorOption(option, '')
    expect(findPage(to)?.page).toBe('second-factor')
    expect(everyPage.map(({ path }) => path)).toContain(to)
  })

  it('names only pages in the table as next pages', () => {
    for (const { next = [] } of pageTable)
      expect(next.filter((path) => findPage(path)?.path !== path)).toEqual([])
  })
})

it.each([
  { path: '/sign-in', intent: 'send', exists: true },
  { path: '/sign-in', intent: 'social', exists: true },
  { path: '/sign-in', intent: 'toString', exists: false },
  { path: '/sign-in/social/github', intent: 'agree', exists: true },
  { path: '/unknown-session', intent: 'send', exists: false },
  { path: '/nowhere', intent: 'send', exists: false },
])('the intent "$intent" has a flow at $path: $exists', async ({ path, intent, exists }) => {
  expect((await findJourney(path, intent)) !== null).toBe(exists)
})

it.each([
  ['/sign-in/social/github', '/sign-in/social/:connectorId', 'github'],
  ['/sign-in/social', '/sign-in/social/:connectorId', ''],
  ['/sign-in/social/', '/sign-in/social/:connectorId', ''],
  ['/social/link/a-b_1', '/social/link/:connectorId', 'a-b_1'],
  ['/sign-in/social/a/b', undefined, ''],
  ['/sign-in/socials', undefined, ''],
  ['/sign-in', '/sign-in', ''],
])('the path %s matches the route %s with the connector "%s"', (path, pattern, connectorId) => {
  expect(findPage(path)?.path).toBe(pattern)
  expect(connectorIdFromPath(path)).toBe(connectorId)
})

it('every path appears in the page table only once', () => {
  expect(new Set(pageTable.map(({ path }) => path)).size).toBe(pageTable.length)
})
