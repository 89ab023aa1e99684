import type { Page } from 'playwright'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { untilHydrated } from '../inspection.ts'
import { interactionOf } from '../steps.ts'
import {
  newPerson,
  northwind,
  type Place,
  placeWith,
  problem,
  submit,
  terms,
  withSocial,
} from './northwind.ts'
import { inEnglish, inspectStates, type States } from './views.ts'

/** Signing in with another provider, consent to a third party, the demo application and the development inbox. */

const withProviders = placeWith(terms, withSocial)

/** Presses the button of GitHub, and returns the state that the page sent there. */
async function leaveForGitHub(page: Page, { open }: Place): Promise<string> {
  const request = page.waitForRequest((each) => each.url().startsWith('https://github.com/'))
  await page.route('https://github.com/**', (route) => route.abort('aborted'))
  await open(page)
  await untilHydrated(page)
  await page.locator('.social-list button, .social-list a').last().click()
  return new URL((await request).url()).searchParams.get('state') ?? ''
}

const social: States = {
  returning: async (page) => {
    const place = await withProviders()
    const state = await leaveForGitHub(page, place)
    // Never respond to the call, so that the page remains in this state.
    await page.route('**/api/interaction/**', () => {})
    await page.goto(`${place.origin}/callback/github?${new URLSearchParams({ state, code: 'code' })}`)
    await page.locator('.content-passing').waitFor()
  },
  canceled: async (page) => {
    const place = await withProviders()
    const state = await leaveForGitHub(page, place)
    const query = new URLSearchParams({ state, error: 'access_denied' })
    await page.goto(`${place.origin}/callback/github?${query}`)
    await page.waitForURL('**/sign-in?**')
    await problem(page)
  },
  failed: async (page) => {
    const place = await withProviders()
    await place.open(page)
    const state = `${interactionOf(page)}.aaaaaaaaaaaaaaaa`
    await page.goto(`${place.origin}/callback/github?${new URLSearchParams({ state, code: 'code' })}`)
    await page.locator('main h1').waitFor()
  },
  link: async (page) =>
    (await withProviders()).step(page, 'social/link/github', {
      relatedUser: { type: 'email', value: 'ada.lovelace@example.com' },
    }),
  'link-lost': async (page) => (await withProviders()).step(page, 'social/link/github', {}),
}
inspectStates('social', social)

const shops = placeWith({}, async ({ call }) => {
  const indicator = 'https://orders.example/api'
  const { id } = await call<{ id: string }>('POST', '/resources', {
    name: 'Orders',
    indicator,
    claims: { department: '$.customData.department' },
  })
  const permissions = [
    { name: 'orders:read', description: 'See your orders and their invoices' },
    { name: 'orders:write', description: 'Place and cancel orders' },
  ]
  const scopes = await Promise.all(
    permissions.map((scope) => call<{ id: string }>('POST', `/resources/${id}/scopes`, scope)),
  )
  const scopeIds = scopes.map((scope) => scope.id)
  await call('POST', '/roles', { name: 'Customer', description: '', scopeIds })
})

/** Signs in at a third party and opens the consent page. */
async function openConsent(page: Page, name: string, parameters: Record<string, string>): Promise<void> {
  const place = await shops()
  const shop = await place.openApplication(name, {
    isThirdParty: true,
    redirectUri: 'https://shop.example/callback',
    tosUri: 'https://shop.example/terms',
    policyUri: 'https://shop.example/privacy',
  })
  const { id, username } = await newPerson(place)
  const roles = await place.call<{ id: string; name: string }[]>('GET', '/roles')
  const roleIds = roles.filter((role) => role.name === 'Customer').map((role) => role.id)
  await place.call('POST', `/users/${id}/roles`, { roleIds })
  await page.goto((await shop.authorizationUrl(parameters)).url)
  await submit(page, { identifier: username, password: PASSWORD })
  await page.locator('main [name=decision]').first().waitFor()
}

const many = {
  scope: 'openid profile email phone roles offline_access orders:read orders:write',
  resource: 'https://orders.example/api',
  prompt: 'consent',
}
const consent: States = {
  few: async (page) => openConsent(page, 'Corner Shop', { scope: 'openid profile' }),
  many: async (page) => openConsent(page, 'Corner Shop', many),
  'long-name': async (page) =>
    openConsent(page, 'Genossenschaftsbuchhaltungsprogramm für Handwerksbetriebe und Vereine', many),
  refused: async (page) => {
    await openConsent(page, 'Corner Shop', many)
    await page.route('**/api/interaction/consent', (route) =>
      route.fulfill({ status: 422, json: { code: 'server.internal', message: 'That did not work.' } }),
    )
    await untilHydrated(page)
    await page.locator('main [name=decision]').first().click()
    await problem(page)
  },
}
inspectStates('consent', consent, ['refused'])

const developers: States = {
  'demo-app': inEnglish(async (page) => {
    await page.goto(`${(await northwind()).origin}/demo-app`)
    await page.getByRole('button').first().waitFor()
  }),
  'demo-app-signed-in': inEnglish(async (page) => {
    const place = await northwind()
    const { username } = await newPerson(place)
    await page.goto(`${place.origin}/demo-app`)
    await page.getByRole('button').first().click()
    await page.waitForURL('**/sign-in?**')
    await submit(page, { identifier: username })
    await page.waitForURL('**/sign-in/password?**')
    await submit(page, { password: PASSWORD })
    await page.waitForURL('**/demo-app**')
    await page.getByText(username).first().waitFor()
  }),
  inbox: inEnglish(async (page) => {
    const place = await northwind()
    await place.step(page, 'forgot-password')
    await submit(page, { identifier: 'ada.lovelace@example.com' })
    await page.waitForURL('**/verification-code?**')
    await page.goto(`${place.origin}/dev/inbox`)
    await page.getByText('ada.lovelace@example.com').first().waitFor()
    const message = page.getByRole('link', { name: /code/ }).first()
    if (await message.count()) await message.click()
    await page.waitForLoadState('networkidle')
  }),
}
inspectStates('developer', developers)
