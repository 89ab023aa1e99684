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
  it.each([
    ['/sign-in', 'Sign in'],
    ['/sign-in/consent', 'Sign in'],
    ['/register/password', 'Create account'],
    ['/social/link/github', 'Create account'],
    ['/forgot-password', 'Reset password'],
    ['/unknown-session', 'This sign-in cannot go on'],
    ['/signed-in', 'You’re still signed in'],
    ['/', 'Page not found'],
    ['/continue/email', 'Sign in'],
    ['/sign-in/nowhere', 'Page not found'],
  ])('%s is "%s"', (path, title) => {
    expect(pageTitle({ ...testBootData, path })).toBe(title)
  })

  it('name the event during which an account is completed', () => {
    const navigation = { event: 'Register' } as const
    expect(pageTitle({ ...testBootData, path: '/continue/email', navigation })).toBe('Create account')
  })

  it('name the message that the script shows instead of a page', () => {
    expect(pageTitle(testBootData, 'vestibule.expired_title')).toBe('This page has expired')
  })

  it.each([
    ['This page has expired', { error: { code: 'session.not_found', message: '' } }],
    ['Something went wrong', { error: { code: 'server.internal', message: '' } }],
    ['You’re signed out', { logout: { stage: 'done' } }],
    ['Sign out?', { logout: { stage: 'asking', formAction: '', xsrf: '', needsQuestion: true } }],
    ['Sign in', {}],
  ] as const)('include "%s" for a document with %o', (title, shown) => {
    expect(getDocumentTitle({ ...testBootData, ...shown })).toBe(title)
  })

  it('are in the language of the page', () => {
    expect(pageTitle({ path: '/sign-in', language: 'de', phrases: german.translation })).toBe('Anmelden')
  })
})

describe('the title of a page with a brand name', () => {
  const experience = { ...bootExperience, branding: { name: 'Acme' } }

  it.each([
    ['/sign-in', 'Sign in to Acme'],
    ['/register', 'Create account · Acme'],
    ['/unknown-session', 'This sign-in cannot go on · Acme'],
  ])('%s is "%s"', (path, title) => {
    expect(pageTitle({ ...testBootData, path, experience })).toBe(title)
  })
})

describe('the title of a page with an error', () => {
  const notice = { kind: 'inline', field: 'password', message: 'Wrong.' } as const

  it('begins with the error', () => {
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
  ])('$path leads to $choice', ({ path, experience, navigation, choice, to }) => {
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

describe('a row of the page table', () => {
  it.each(pageTable)('loads a page at $path, and its journeys if it has any', async (row) => {
    expect((await row.load()).default).toBeTypeOf('function')
    expect((await loadJourneys(row))?.send).toBeTypeOf(row.journeys ? 'function' : 'undefined')
  })

  it('names the file of its page', async () => {
    for (const { page, load } of pageTable) {
      expect(load).toBe(pageTable.find((row) => row.page === page)?.load)
      expect(existsSync(`client/pages/${page}.tsx`)).toBe(true)
    }
  })

  it('is tested as markup and in a browser (add a new page to both lists)', () => {
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
    const { to } = linkToFactorOption(option, '')
    expect(findPage(to)?.page).toBe('second-factor')
    expect(everyPage.map(({ path }) => path)).toContain(to)
  })

  it('lists only pages of the table as the next pages', () => {
    for (const { next = [] } of pageTable)
      expect(next.filter((path) => findPage(path)?.path !== path)).toEqual([])
  })
})

it.each([
  { path: '/sign-in', intent: 'send', found: true },
  { path: '/sign-in', intent: 'social', found: true },
  { path: '/sign-in', intent: 'toString', found: false },
  { path: '/sign-in/social/github', intent: 'agree', found: true },
  { path: '/unknown-session', intent: 'send', found: false },
  { path: '/nowhere', intent: 'send', found: false },
])('a journey for "$intent" at $path exists: $found', async ({ path, intent, found }) => {
  expect((await findJourney(path, intent)) !== null).toBe(found)
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

it('every path is in the page table once', () => {
  expect(new Set(pageTable.map(({ path }) => path)).size).toBe(pageTable.length)
})
