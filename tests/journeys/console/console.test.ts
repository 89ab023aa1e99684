import type { Page } from 'playwright'
import { expect, inject, it } from 'vitest'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { browserSweep, desktopOptions, openPage } from '../browser.ts'
import { OWN_CONSOLE } from '../hostile-server.ts'
import { axeViolations, overflowOf } from '../inspection.ts'
import { passwordField, usernameField } from '../steps.ts'
import { openTenant, tenantAt } from '../tenant.ts'
import { newAdministrator, openConsole, openInvitedConsole, signInToConsole } from './console.ts'
import { watchCalls } from './console-calls.ts'
import { consolePaths, fillTenant } from './console-pages.ts'
import {
  changeSettings,
  createWebhook,
  deleteRole,
  followStartPage,
  sendMessage,
  setUpMailServer,
} from './console-tasks.ts'

/** Tests all areas of the console, and who can use it (spec/console). */

it('the console supports the main tasks, and is accessible in every area and both themes', {
  timeout: 120_000,
}, async () => {
  const tenant = await openTenant()
  const { page, complaints, calls } = await openConsole(tenant)
  const links = page.getByRole('navigation', { name: 'Areas' }).getByRole('link')
  const names = await links.allTextContents()
  expect(names.length).toBeGreaterThan(8)
  let heading: string | null = null
  for (const [index, name] of names.entries()) {
    const themes = (['light', 'dark'] as const).filter(
      // `npm test` inspects every third area, in one of the themes.
      (_, at) => browserSweep.isExhaustive || at * 3 === index % 6,
    )
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.locator('nav [aria-current=page]').getByText(name, { exact: true }).waitFor()
    // The previous page is displayed until the file of the new page has loaded.
    if (index > 0) await expect.poll(() => headingOf(page)).not.toBe(heading)
    heading = await headingOf(page)
    await expect.poll(() => page.locator('.loading').count()).toBe(0)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeViolations(page), `${name}, ${colorScheme}`).toEqual([])
    }
    expect(await overflowOf(page), name).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await overflowOf(page), `${name} on a phone`).toBe(0)
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await overflowOf(page), `${name} from right to left`).toBe(0)
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
    await page.setViewportSize(desktopOptions.viewport)
  }
  await signInWithoutPage(page)
  await deleteRole(page, tenant)
  await createWebhook(page, tenant)
  // Although the button was double-clicked, there are only two saves and one undo.
  expect(calls.filter(({ method, path }) => method === 'PATCH' && path.includes('/hooks/')).length).toBe(3)
  await sendMessage(page, tenant)
  await setUpMailServer(page, tenant)
  await changeSettings(page, tenant)
  await followStartPage(page, tenant)
  expect(calls.length).toBeGreaterThan(10)
  expect(complaints).toEqual([])
})

it.runIf(browserSweep.isExhaustive)(
  'the console is accessible on every page in both themes, without horizontal scrolling',
  { timeout: 180_000 },
  async () => {
    const tenant = await openTenant()
    const { page } = await openConsole(tenant)
    for (const path of consolePaths(await fillTenant(tenant))) {
      await page.goto(`${tenant.origin}/console${path}`)
      await checkPage(page, path)
    }
    const operators = await openConsole(await tenantAt(inject('origin')), { path: '/tenants' })
    await checkPage(operators.page, '/tenants')
  },
)

async function checkPage(page: Page, name: string): Promise<void> {
  await page.locator('h1').first().waitFor()
  await expect.poll(() => page.locator('.loading').count()).toBe(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeViolations(page), `${name}, ${colorScheme}`).toEqual([])
  }
  expect(await overflowOf(page), name).toBe(0)
}

it('the console denies access to users without an administrator role', async () => {
  const tenant = await openTenant()
  const username = await tenant.registeredName()
  const { page } = await openPage(desktopOptions)
  await signInToConsole(page, `${tenant.origin}/console`, username)
  await page.getByRole('heading', { name: 'Your account doesn’t have an administrator role' }).waitFor()
})

it("the console uses the tenant's host for the sign-in, the API and the preview if the console has a separate host", async () => {
  const tenant = await openTenant({}, { id: `${OWN_CONSOLE}-id` })
  const { username } = await newAdministrator(tenant)
  const { port } = new URL(tenant.origin)
  const own = `https://${OWN_CONSOLE}.vestibule.test:${port}`
  expect((await openInvitedConsole(tenant, own)).complaints).toEqual([])
  const { page, context, complaints } = await openPage(desktopOptions)
  watchCalls(context)
  await page.goto(`${tenant.origin}/console/experience`)
  await usernameField(page).fill(username)
  expect(new URL(page.url()).origin).toBe(tenant.origin)
  await passwordField(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${own}/console/experience`)
  await page.getByLabel('Name', { exact: true }).fill('Acme')
  await page.frameLocator('iframe').getByRole('heading', { name: 'Sign in to Acme' }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  expect(await tenant.call('GET', '/sign-in-exp')).toMatchObject({ branding: { name: 'Acme' } })
  expect(complaints).toEqual([])

  // The tenant's callback redirects to this page with the provider's response in the fragment.
  const testId = 'Zq1wXsE3rFvT5gByH7jNmK'
  await page.goto(`${own}/console/connectors/up#state=sign-in-test.${testId}&code=a`)
  await page.waitForURL(`${own}/console/connectors/up?test=${testId}`)

  // After a deployment, the files of the pages have new names.
  await page.route(/assets\/console\/hooks-/, (route) => route.fulfill({ status: 404 }))
  const areas = page.getByRole('navigation', { name: 'Areas' })
  await areas.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('alert').getByText('We couldn’t load this page').waitFor()
  await page.route(/assets\/console\/guides-/, (route) => route.fulfill({ status: 404 }))
  await areas.getByRole('link', { name: 'Applications' }).click()
  await page.getByRole('link', { name: 'Create an application' }).click()
  await page.getByLabel('Name').fill('Shop')
  await page.reload()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Shop')
  await page.getByRole('button', { name: 'Create an application' }).click()
  await page.getByRole('alert').getByText('We couldn’t load this page').waitFor()
  await page.route(/assets\/console\/screens-/, (route) => route.fulfill({ status: 404 }))
  await page.goto(`${own}/console/users/export/all`)
  await page.getByRole('alert').getByText('We couldn’t load the console').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Console' }).waitFor()
  expect(new URL(page.url()).origin).toBe(own)
})

const headingOf = (page: Page) => page.locator('h1').textContent()

/**
 * Opens a tab without a token. The user has a session at the provider, so the tab signs in with a request
 * instead of a page.
 */
async function signInWithoutPage(page: Page): Promise<void> {
  const tab = await page.context().newPage()
  const documents: string[] = []
  tab.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
  })
  await tab.goto(new URL('/console/users?role=admin-role', page.url()).href)
  await tab.getByRole('searchbox', { name: 'Search' }).waitFor()
  expect(documents).toEqual(['/console/users'])
  expect(new URL(tab.url()).search).toBe('?role=admin-role')
  await tab.close()
}
