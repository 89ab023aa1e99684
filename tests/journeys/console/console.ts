import type { Page } from 'playwright'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { desktopOptions, openPage } from '../browser.ts'
import { passwordField, signInByCalls, usernameField } from '../steps.ts'
import type { Tenant } from '../tenant.ts'
import { watchCalls } from './console-calls.ts'

/** Creates a user of the tenant with one of the administrator roles. */
export async function newAdministrator({ createUser, call }: Tenant, role = 'admin-role') {
  const username = freshName()
  const { id } = await createUser({ username, password: PASSWORD })
  await call('POST', `/users/${id}/roles`, { roleIds: [role] })
  return { id, username }
}

/**
 * Opens the tenant's console at `path` (relative to `/console`), in a separate browser that is already signed
 * in.
 */
export async function openConsole(tenant: Tenant, { path = '', role = 'admin-role' } = {}) {
  const { id, username } = await newAdministrator(tenant, role)
  const user = await openPage(desktopOptions)
  const calls = watchCalls(user.context)
  await signInByCalls(user.page, tenant, username)
  await user.page.goto(`${tenant.origin}/console${path}`)
  await user.page.getByRole('navigation', { name: 'Areas' }).waitFor()
  return { ...user, id, username, calls }
}

/**
 * Opens the console's start page as a new administrator, who follows an invitation link and creates an
 * account (spec/account-centre#invitations).
 */
export async function openInvitedConsole({ origin, call }: Tenant, consoleOrigin = origin) {
  const { url } = await call<{ url: string }>('POST', '/administrator-invitations', {})
  const user = await openPage(desktopOptions)
  const { page } = user
  watchCalls(user.context)
  const steps = await watchSteps(page)
  await page.goto(url)
  await usernameField(page).fill(freshName())
  await passwordField(page).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${consoleOrigin}/console`)
  await page.getByRole('navigation', { name: 'Areas' }).waitFor()
  return { ...user, steps }
}

/**
 * Records the URLs of the pages that the user sees, including those within the console, and the labels of the
 * buttons and links that the user presses.
 */
async function watchSteps(page: Page) {
  const steps = { pages: [] as string[], presses: [] as string[] }
  page.on('framenavigated', (frame) => {
    const { pathname } = new URL(frame.url())
    if (frame === page.mainFrame() && steps.pages.at(-1) !== pathname) steps.pages.push(pathname)
  })
  await page.exposeFunction('notePress', (text: string) => steps.presses.push(text))
  await page.addInitScript(() => {
    addEventListener(
      'click',
      ({ isTrusted, target }) => {
        if (isTrusted && target instanceof Element && 'notePress' in window)
          (window.notePress as (text: string) => void)(target.closest('a, button')?.textContent ?? 'nothing')
      },
      true,
    )
  })
  return steps
}

/** Opens a page of the console, signs in, and waits until the page is displayed. */
export async function signInToConsole(page: Page, address: string, username: string): Promise<void> {
  await page.goto(address)
  await usernameField(page).fill(username)
  await passwordField(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(address)
}
