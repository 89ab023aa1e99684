import type { Locator, Page, Route } from 'playwright'
import { afterAll, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { axeViolations } from '../inspection.ts'
import { startUpstream } from '../social/upstream.ts'
import { registerConnector } from '../social/upstream-connectors.ts'
import { pressButton } from '../steps.ts'
import { openTenant, type Tenant } from '../tenant.ts'
import { openConsole } from './console.ts'

/** Tests connectors in the console (spec/console#connectors). */

const upstream = await startUpstream()
afterAll(() => upstream.close())

it('the console lets an administrator set up a provider with its guide and test a sign-in', async () => {
  const tenant = await openTenant({ signUp: { identifiers: [], password: false, verify: false } })
  const { page, complaints } = await openConsole(tenant)
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Connectors' }).click()
  await page.getByRole('link', { name: 'Google' }).click()
  await page.getByRole('heading', { name: 'Set up Google' }).waitFor()
  const callback = `${tenant.origin}/callback/google`
  await page.getByRole('button', { name: 'Copy: Callback URL' }).waitFor()
  expect(await page.locator('.copyable code').textContent()).toBe(callback)
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Install' }).click()
  expect(await page.getByText('This field is required.').count()).toBe(2)
  const { config } = await registerConnector(upstream, 'google', { id: 'google', origin: tenant.origin })
  await page.getByText('More settings').click()
  const fields = {
    'Client ID': config.clientId,
    'Client secret': config.clientSecret,
    'Token endpoint': config.tokenEndpoint,
    'User info endpoint': config.userInfoEndpoint,
    'Authorization endpoint': 'nowhere',
  }
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(String(value))
  await page.getByRole('button', { name: 'Install' }).click()
  const endpoint = page.getByLabel('Authorization endpoint')
  await expect.poll(() => endpoint.getAttribute('aria-invalid')).toBe('true')
  await endpoint.fill(String(config.authorizationEndpoint))
  await page.getByLabel('Client secret').fill('invented')
  await page.getByRole('button', { name: 'Install' }).click()
  await page.waitForURL(`${tenant.origin}/console/connectors/google`)

  // The console checks the credentials automatically. Saving corrected credentials checks them again. The
  // stored secret is kept without being shown.
  await page
    .getByRole('alert')
    .getByText('The provider rejects the credentials. The provider says: invalid_client')
    .waitFor()
  const hide = page.getByRole('button', { name: 'Hide the button for now' })
  await hide.click()
  await hide.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Correct the credentials' }).click()
  await expect.poll(() => page.getByLabel('Client ID').and(page.locator(':focus')).count()).toBe(1)
  await page.getByText('It usually looks like ….apps.googleusercontent.com.').waitFor()
  await expect.poll(() => page.getByLabel('Client secret').inputValue()).toBe('')
  await page.getByLabel('Client secret').fill(String(config.clientSecret))
  // This result was for the previous secret, so it is removed.
  await page.getByText('The provider rejects').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The provider recognizes the credentials.').waitFor()

  await testSignIn(page, 'Google')
  expect(await axeViolations(page)).toEqual([])
  await page.getByText('Users don’t see the button yet').waitFor()
  await page.getByText('Show on the sign-in page', { exact: true }).click()
  await expect.poll(() => page.getByText('Users don’t see the button yet').count()).toBe(0)
  await checkDraftSurvives(page, tenant)
  await testFragmentResponse(page, tenant)

  await page.goto(`${tenant.origin}/console/connectors/google`)
  await page.getByRole('button', { name: 'Remove the connector' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox').fill('Google')
  await dialog.getByRole('button', { name: 'Remove the connector' }).click()
  await page.getByText('You haven’t installed any connectors yet. Choose one below.').waitFor()
  expect(await tenant.call('GET', '/connectors')).toEqual([])
  expect(complaints.filter((complaint) => !complaint.includes('412'))).toEqual([])
})

it('the console names an OpenID Connect connector after its provider', async () => {
  const tenant = await openTenant()
  const { page, complaints } = await openConsole(tenant, { path: '/connectors/new/oidc' })
  const { origin, call } = tenant
  const callback = page.locator('.copyable code')
  await expect.poll(() => callback.textContent()).toBe(`${origin}/callback/oidc`)
  await page.getByText('Still needed: Name on the button, Client ID, Client secret').waitFor()
  await page.getByRole('button', { name: 'Install' }).click()
  await expect.poll(() => page.getByLabel('Name on the button').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Name on the button').fill('Corp')
  await page.getByLabel('Provider name in accounts').fill('corp')
  await expect.poll(() => callback.textContent()).toBe(`${origin}/callback/corp`)
  const { config } = await registerConnector(upstream, 'oidc', { id: 'corp', origin })
  await page.getByLabel('Issuer', { exact: true }).fill(String(config.issuer))
  await page.getByLabel('Client ID').fill(String(config.clientId))
  await page.getByLabel('Client secret').fill(String(config.clientSecret))

  // Another administrator is faster, so the callback URL changes.
  const theirs = { connectorId: 'oidc', id: 'corp', metadata: { target: 'theirs' } }
  await call('POST', '/connectors', theirs)
  await page.getByRole('button', { name: 'Install' }).click()
  await page.getByText('Someone else has just installed a connector with this callback URL.').waitFor()
  await expect.poll(() => callback.textContent()).toBe(`${origin}/callback/corp-2`)
  expect(await page.getByText('belongs to another connector').count()).toBe(0)
  await call('DELETE', '/connectors/corp')
  await page.reload()
  await expect.poll(() => callback.textContent()).toBe(`${origin}/callback/corp`)
  await page.getByLabel('Client secret').fill(String(config.clientSecret))

  // The page reads the offered buttons while it opens.
  await page.getByRole('button', { name: 'Install' }).click()
  await page.waitForURL(`${origin}/console/connectors/corp`)
  await page.getByRole('status').getByText('Corp is installed', { exact: true }).waitFor()
  const isShown = page.getByRole('switch', { name: 'Show on the sign-in page' })
  await isShown.waitFor({ state: 'attached' })
  expect(await isShown.isChecked()).toBe(true)
  expect(await call('GET', '/sign-in-exp')).toMatchObject({ socialSignInConnectorTargets: ['corp'] })
  await checkLateRead(page, tenant, isShown)

  const account = { id: freshName(), name: 'Ann Bare', hasBareIdToken: true }
  await fetch(`${upstream.openid}/accounts`, { method: 'POST', body: JSON.stringify(account) })
  await page.getByRole('button', { name: 'Test the sign-in' }).click()
  await pressButton(page, account.name)
  const outcome = page.locator('.outcome')
  await outcome.getByText('The ID token has no email address, and neither has userinfo.').waitFor()
  expect(await outcome.locator('dd').allTextContents()).toContain(account.name)
  expect(await axeViolations(page)).toEqual([])
  expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([])
})

/**
 * Presses the switch while the page reads the experience again, and lets that read return the previous state after the
 * change. The switch must keep showing the new state.
 */
async function checkLateRead(page: Page, { call }: Tenant, isShown: Locator): Promise<void> {
  const previous = await call('GET', '/sign-in-exp')
  const lateRead = Promise.withResolvers<Route>()
  await page.route('**/api/sign-in-exp', (route) => lateRead.resolve(route), { times: 1 })
  // When its window is shown, the page reads again what is older than ten seconds.
  await page.evaluate(() => {
    const { now } = Date
    Object.assign(window, { restoreClock: () => Object.assign(Date, { now }) })
    Date.now = () => now() + 11_000
    window.dispatchEvent(new Event('visibilitychange'))
  })
  const route = await lateRead.promise
  await page.evaluate('restoreClock()')
  const change = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByText('Show on the sign-in page', { exact: true }).click()
  await change
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  // A canceled request has no response any more.
  await route.fulfill({ json: previous }).catch(() => undefined)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
  expect(await isShown.isChecked()).toBe(false)
  await page.getByText('Show on the sign-in page', { exact: true }).click()
  await expect.poll(() => isShown.isChecked()).toBe(true)
}

/**
 * Tests the sign-in at the provider without signing anyone in. The test returns to the same tab, where its
 * result is the first thing on the page.
 */
async function testSignIn(page: Page, provider: string): Promise<void> {
  const id = freshName()
  await fetch(`${upstream.openid}/accounts`, { method: 'POST', body: JSON.stringify({ id, name: id }) })
  await page.getByRole('button', { name: 'Test the sign-in' }).click()
  await pressButton(page, id)
  await page.waitForURL(/\/console\/connectors\/[\w-]+\?test=\w+$/)
  const outcome = page.locator('.outcome')
  await outcome.getByRole('heading', { name: `The test worked: ${provider} responded` }).waitFor()
  expect(await outcome.locator('dd').allTextContents()).toEqual([
    id,
    'not provided',
    'not provided',
    id,
    'not provided',
  ])
  await outcome.getByText('The provider returned everything that your sign-up asks for.').waitFor()
  const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN
  expect(await top(outcome)).toBeLessThan(await top(page.getByRole('heading', { name: 'Credentials' })))
}

/**
 * Tests a provider that responds in the URL fragment. No server receives the fragment, so the console
 * forwards it.
 */
async function testFragmentResponse(page: Page, { origin, call }: Tenant): Promise<void> {
  const installation = await registerConnector(upstream, 'oidcFragment', { id: 'up', origin })
  await call('POST', '/connectors', installation)
  await page.goto(`${origin}/console/connectors/up`)
  await testSignIn(page, 'Upstream oidcFragment')
  await call('DELETE', '/connectors/up')
}

/**
 * Checks that typed values, except for secrets, survive both a reload and a concurrent save by another
 * administrator.
 */
async function checkDraftSurvives(page: Page, { call }: Tenant): Promise<void> {
  const clientId = page.getByLabel('Client ID')
  await clientId.fill('mine')
  await page.getByLabel('Client secret').fill('typed')
  await page.reload()
  await expect.poll(() => clientId.inputValue()).toBe('mine')
  await page.getByText('What you typed here was lost').waitFor()
  expect(await page.getByLabel('Client secret').inputValue()).toBe('')

  const { config } = await call<{ config: object }>('GET', '/connectors/google')
  await call('PATCH', '/connectors/google', { config: { ...config, clientId: 'theirs' }, syncProfile: true })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByRole('alert')
    .getByText('You both changed “Client ID”. Theirs: “theirs”. Yours: “mine”.')
    .waitFor()
  await page.getByRole('button', { name: 'Keep my changes' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Change undone').waitFor()
  await expect.poll(() => clientId.inputValue()).toBe('theirs')
  expect(await call('GET', '/connectors/google')).toMatchObject({
    config: { ...config, clientId: 'theirs' },
    syncProfile: true,
  })

  // No response reveals whether another administrator has replaced the secret, so the console does not
  // automatically replace it again.
  await page.getByLabel('Client secret').fill('typed')
  await call('PATCH', '/connectors/google', { syncProfile: false })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').getByText('Someone else saved changes').waitFor()
  expect(await page.getByLabel('Client secret').inputValue()).toBe('typed')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  expect(await call('GET', '/connectors/google')).toMatchObject({ syncProfile: false })
  // If no secret was typed, changes to different fields are merged.
  await clientId.fill('mine')
  await call('PATCH', '/connectors/google', { syncProfile: true })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(() => call('GET', '/connectors/google'))
    .toMatchObject({ config: { clientId: 'mine' }, syncProfile: true })
}
