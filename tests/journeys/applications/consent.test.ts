import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  desktopOptions,
  inExhaustiveRun,
  mobileOptions,
  openPage,
  pictureSweep,
  savePicture,
  scripted,
  scriptless,
  someOf,
  waysOf,
  withoutScript,
} from '../browser.ts'
import {
  boxOf,
  expectSound,
  expectStill,
  overflowOf,
  smallTargets,
  untilSettled,
  untilTrue,
  watchContext,
} from '../inspection.ts'
import { followLink, passwordField, pressButton, signInOnPage } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'

/**
 * Tests the consent page for a third party (spec/pages#consent). tests/application/applications/consent.test.ts checks
 * what is granted.
 */

const tenant = await openTenant({ color: bothThemes })
const shop = await tenant.openApplication('Corner Shop', {
  isThirdParty: true,
  logoUri: `${tenant.origin}/favicon.svg`,
  tosUri: 'https://shop.example/terms',
  policyUri: 'https://shop.example/privacy',
})
const indicator = 'https://orders.example/api'
const resource = await tenant.call<{ id: string }>('POST', '/resources', { name: 'Orders', indicator })
const scopes = await Promise.all(
  [
    { name: 'orders:read', description: 'See your orders and their invoices' },
    { name: 'orders:write', description: '' },
  ].map((scope) => tenant.call<{ id: string }>('POST', `/resources/${resource.id}/scopes`, scope)),
)
const role = await tenant.call<{ id: string }>('POST', '/roles', {
  name: 'Customer',
  description: '',
  scopeIds: scopes.map(({ id }) => id),
})

async function newCustomer(): Promise<string> {
  const username = freshName()
  const { id } = await tenant.createUser({ username, password: PASSWORD })
  await tenant.call('PATCH', `/users/${id}`, { avatar: `${tenant.origin}/favicon.svg` })
  await tenant.call('POST', `/users/${id}/roles`, { roleIds: [role.id] })
  return username
}

/** Signs in and opens the consent page. Returns the `state` of the authorization request. */
async function openConsent(
  page: Page,
  parameters: Record<string, string> = {},
  application = shop,
): Promise<string> {
  const scope = 'openid email phone orders:read orders:write'
  const claims = JSON.stringify({ userinfo: { given_name: null, family_name: null, birthdate: null } })
  const requested = { scope, claims, resource: indicator, ...parameters }
  const { url, state } = await application.authorizationUrl(requested)
  await page.goto(url)
  await page.locator('main [name=identifier]').fill(await newCustomer())
  await page.locator('main [name=password]').fill(PASSWORD)
  await page.locator('main button[name=submit]').click()
  await page.locator('main [name=decision]').first().waitFor()
  return state
}

// tests/application/applications/consent.test.ts also covers granting and denying, with and without
// JavaScript.
describe.each(waysOf(scripted))('$script', ({ options }) => {
  it('a user grants the permissions that a third party requests, and is not asked again', async () => {
    const { page, complaints } = await openPage(options)
    const name = await newCustomer()
    const scope = 'openid orders:read'
    const first = await shop.authorizationUrl({ scope, resource: indicator })
    await page.goto(first.url)
    await signInOnPage(page, name)
    await page.getByRole('heading', { level: 1, name: /Allow .*Corner Shop.* to use your account/ }).waitFor()
    for (const text of [new URL(shop.callback).host, name, 'See your orders and their invoices']) {
      await page.getByText(text).first().waitFor()
    }
    for (const link of ['Terms of Use', 'Privacy Policy'])
      expect(await page.getByRole('link', { name: link }).getAttribute('href')).toMatch(
        /^https:\/\/shop\.example\//,
      )
    await pressButton(page, 'Allow')
    await page.waitForURL(`${shop.callback}**`)
    const back = new URL(page.url()).searchParams
    expect([back.get('state'), back.has('code')]).toEqual([first.state, true])

    await page.context().clearCookies()
    await page.goto((await shop.authorizationUrl({ scope, resource: indicator })).url)
    await signInOnPage(page, name)
    await page.waitForURL(`${shop.callback}**`)
    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
    expect(complaints).toEqual([])
  })
})

describe.each(waysOf(scriptless))('$script', ({ options }) => {
  it('[ASVS-10.7.2-2] a user cancels, and the application receives an error', async () => {
    const { page, complaints } = await openPage(options)
    const state = await openConsent(page)
    await pressButton(page, 'Cancel')
    await page.waitForURL(`${shop.callback}**`)
    const back = new URL(page.url()).searchParams
    expect([back.get('error'), back.get('state'), back.has('code')]).toEqual(['access_denied', state, false])
    // The user's session is still active.
    await page.goto((await tenant.openApplication().then((own) => own.authorizationUrl())).url)
    expect(await passwordField(page).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

// tests/application/applications/consent.test.ts and tests/client/consent-list.test.ts cover the lists.
describe.each([scripted, scriptless])('$script', ({ options }) => {
  inExhaustiveRun('a user allows a third party claims that it requests without their scopes', async () => {
    const { page, complaints } = await openPage(options)
    const claims = JSON.stringify({ userinfo: { email: null, birthdate: null }, id_token: { gender: null } })
    await page.goto((await shop.authorizationUrl({ scope: 'openid', claims })).url)
    await signInOnPage(page, await newCustomer())
    await page.getByRole('heading', { name: 'This app will be able to:' }).waitFor()
    const [listed] = await page.locator('.consent-list').allInnerTexts()
    expect(listed?.split(/\n+/)).toEqual([
      'Know who you are',
      'See your email',
      'See your date of birth',
      'See your gender',
    ])
    await pressButton(page, 'Allow')
    await page.waitForURL(`${shop.callback}**`)

    await page.goto((await shop.authorizationUrl({ scope: 'openid', claims, prompt: 'none' })).url)
    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
    expect(complaints).toEqual([])
  })
})

describe.each([scripted, scriptless])('$script', ({ options }) => {
  inExhaustiveRun('the page lists newly requested permissions separately from granted ones', async () => {
    const { page } = await openPage(options)
    const name = await newCustomer()
    await page.goto(
      (await shop.authorizationUrl({ scope: 'openid profile orders:read', resource: indicator })).url,
    )
    await signInOnPage(page, name)
    await page.getByRole('heading', { name: 'This app will be able to:' }).waitFor()
    expect(await page.locator('.consent-granted').count()).toBe(0)
    await pressButton(page, 'Allow')
    await page.waitForURL(`${shop.callback}**`)

    const scope = 'openid profile email orders:read orders:write'
    await page.goto((await shop.authorizationUrl({ scope, resource: indicator })).url)
    await page.getByRole('heading', { name: 'New: this app will also be able to:' }).waitFor()
    const [news, granted] = await page.locator('.consent-list').allInnerTexts()
    expect(news?.split(/\n+/)).toEqual(['See your email', 'Use Orders on your behalf', 'orders:write'])
    expect(granted?.split(/\n+/)).toEqual([
      'Know who you are',
      'See your name, picture, username and other details of your profile',
      'Use Orders on your behalf',
      'See your orders and their invoices',
    ])
    await pressButton(page, 'Allow')
    await page.waitForURL(`${shop.callback}**`)
  })
})

describe.each(waysOf(scriptless))('$script', ({ options }) => {
  it('a second user in the browser decides for their own account, and remains signed in', async () => {
    const { page, complaints } = await openPage(options)
    const [ann, ben] = [await newCustomer(), await newCustomer()]
    const { url, state } = await shop.authorizationUrl()
    await page.goto(url)
    await signInOnPage(page, ann)
    await page.getByText(`You’re signed in as ${ann}.`).waitFor()
    await followLink(page, 'Not you?')
    await signInOnPage(page, ben)
    // The provider ends the first user's session with its own form.
    if (options === withoutScript) await page.locator('form[action$="/session/end/confirm"] button').click()
    await page.getByText(`You’re signed in as ${ben}.`).waitFor()
    await pressButton(page, 'Allow')
    await page.waitForURL(`${shop.callback}**`)
    const back = new URL(page.url()).searchParams
    expect([back.get('state'), back.has('code')]).toEqual([state, true])
    const granted = async (username: string) => {
      const [user] = await tenant.call<{ id: string }[]>(
        'GET',
        `/users?search.username=${username}&mode.username=exact`,
      )
      return tenant.call<unknown[]>('GET', `/users/${user?.id}/consents`)
    }
    expect(await granted(ann)).toEqual([])
    expect(await granted(ben)).toMatchObject([
      { application: { name: 'Corner Shop' }, scopes: ['openid', 'profile'] },
    ])

    await page.goto((await shop.authorizationUrl({ prompt: 'consent' })).url)
    await page.getByText(`You’re signed in as ${ben}.`).waitFor()
    expect(complaints).toEqual([])
  })
})

it('a long name takes three lines of the heading', async () => {
  const { page } = await openPage({ ...desktopOptions, viewport: { width: 320, height: 640 } })
  const name = 'Genossenschaftsbuchhaltungsprogramm für Handwerksbetriebe und Vereine'
  await openConsent(page, {}, await tenant.openApplication(name, { isThirdParty: true }))
  expect(await boxOf(page, 'h1 bdi')).toMatchObject({ height: 3 * 32 })
  await page.getByRole('heading', { level: 1, name }).waitFor()
  expect(await overflowOf(page)).toBe(0)
})

it('both buttons are visible without scrolling, side by side, and hide nothing at the end of the page', async () => {
  const { page } = await openPage()
  await openConsent(page, { scope: 'openid profile email phone address offline_access orders:read' })
  const buttons = () =>
    page.locator('main [name=decision]').evaluateAll((all) => all.map((each) => each.getBoundingClientRect()))
  const [allow, cancel] = await buttons()
  expect([allow?.bottom, cancel?.bottom]).toEqual([776, 776])
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const { top, height } = await boxOf(page, '.consent')
  const [moved] = await buttons()
  expect(moved?.bottom).toBeLessThan(776)
  expect(moved?.top).toBe(top + height + 16)
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('main form').evaluate((form) => getComputedStyle(form).position)).toBe('static')
})

describe('with the keyboard', () => {
  it('a user reaches Allow before Cancel, and Enter does nothing before Allow is focused', async () => {
    const { page } = await openPage()
    await openConsent(page)
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    for (let tabs = 0; tabs < 5 && (await focused()) !== 'Allow'; tabs++) await page.keyboard.press('Tab')
    expect(await focused()).toBe('Allow')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Cancel')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${shop.callback}?error=access_denied**`)
  })
})

const views = [
  { view: 'arabic', options: desktopOptions, language: 'ar', inNpmTest: 'dark' },
  { view: 'desktop', options: desktopOptions, language: 'en', inNpmTest: 'light' },
  { view: 'mobile', options: mobileOptions, language: 'de', inNpmTest: 'dark' },
  { view: 'no-script', options: withoutScript, language: 'en', inNpmTest: 'light' },
  {
    view: 'narrow',
    options: { ...desktopOptions, viewport: { width: 320, height: 256 } },
    language: 'ru',
    inNpmTest: 'light',
  },
] as const
describe.each(someOf(views, 2))('$view', ({ view, options, language, inNpmTest }) => {
  it('is accessible, and requests nothing from other origins', async () => {
    const { context, page, complaints } = await openPage(options)
    const { others } = await watchContext(context, tenant.origin)
    await openConsent(page, { ui_locales: language })
    for (const colorScheme of pictureSweep.isExhaustive ? (['light', 'dark'] as const) : [inNpmTest]) {
      await page.emulateMedia({ colorScheme })
      await untilSettled(page)
      // Wait until the images of the application and of the account have loaded.
      await untilTrue(page, () => [...document.images].every(({ complete }) => complete))
      await savePicture(page, `consent-third-party-${view}-${colorScheme}`)
      if (view !== 'no-script') await expectSound(page)
      expect(await smallTargets(page), 'nothing is smaller than a fingertip').toEqual([])
    }
    if (view !== 'no-script') await expectStill(page)
    expect(complaints).toEqual([])
    expect(others).toEqual([])
  })
})
