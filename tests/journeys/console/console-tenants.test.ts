import type { Page } from 'playwright'
import { expect, inject, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { desktopOptions, openPage } from '../browser.ts'
import { axeViolations } from '../inspection.ts'
import { passwordField, usernameField } from '../steps.ts'
import { type Tenant, tenantAt } from '../tenant.ts'
import { newAdministrator, openConsole, signInToConsole } from './console.ts'

/**
 * Tests the tenants of a deployment and the administrators of a tenant (spec/console#tenants,
 * spec/console#administrators).
 */

it('the console lets an owner create a tenant, invite administrators to it, and delete it', async () => {
  const operators = await tenantAt(inject('origin'))
  const { page, complaints } = await openConsole(operators)
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Tenants' }).click()
  await page.getByRole('button', { name: 'New tenant' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Not a label')
  await dialog.getByRole('button', { name: 'Create' }).click()
  // The field shows the error and has the focus.
  await dialog.locator('input[aria-invalid=true]:focus').waitFor()
  const id = freshName().replace('_', '-')
  await dialog.getByRole('textbox').fill(id)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: `Tenant ${id} was created` }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  // The link is shown only once, so nothing but the button closes the dialog.
  await page.keyboard.press('Escape')
  await page.mouse.click(4, 4)
  const link = (await dialog.locator('.copyable code').first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Close' }).click()

  const owner = (await openPage(desktopOptions)).page
  await owner.goto(link)
  await usernameField(owner).fill(freshName())
  await passwordField(owner).fill(PASSWORD)
  await owner.getByLabel('Confirm password').fill(PASSWORD)
  await owner.getByRole('button', { name: 'Create account' }).click()
  const areas = owner.getByRole('navigation', { name: 'Areas' })
  await areas.getByRole('link', { name: 'Roles and APIs' }).click()
  expect(await areas.getByRole('link', { name: 'Tenants' }).count()).toBe(0)
  await owner.getByRole('link', { name: 'Administrators' }).click()
  // The cards above the button move it while they load.
  await owner.getByRole('switch').waitFor()
  await owner.getByRole('table', { name: 'Invitations' }).waitFor()
  await owner.getByRole('button', { name: 'Invite an administrator' }).click()
  await owner.getByRole('dialog').getByLabel('Role').selectOption('Support')
  await owner.getByRole('dialog').getByLabel('Email address').fill('help@example.com')
  // The tenant has no email connector yet.
  await expect.poll(() => owner.getByRole('dialog').getByLabel('How to invite').inputValue()).toBe('link')
  expect(await owner.getByRole('dialog').getByLabel('Valid for').inputValue()).toBe('hour')
  await owner.getByRole('button', { name: 'Generate a link' }).click()
  const invitation = owner.getByRole('dialog').locator('code')
  expect(await invitation.textContent()).toContain(`${new URL(link).origin}/account/invitation?token=`)
  expect(await axeViolations(owner)).toEqual([])
  await owner.getByRole('button', { name: 'Close' }).click()
  await owner.getByRole('button', { name: 'Revoke: help@example.com' }).click()
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await owner.getByRole('cell', { name: 'Revoked' }).waitFor()

  await page.getByRole('button', { name: `Delete ${id}` }).click()
  await page.getByRole('alertdialog').getByRole('textbox').fill(id)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText(`Tenant ${id} was deleted`).waitFor()
  expect((await fetch(new URL('/api/status', link))).status).toBe(404)
  await checkTabSwitchesUser(page, operators)
  expect(complaints).toEqual([])
})

/**
 * Checks that a tab never mixes two users. If another user signs in in another tab, this tab switches to that
 * user as soon as it needs a token for tenants.
 */
async function checkTabSwitchesUser(page: Page, operators: Tenant): Promise<void> {
  const another = await newAdministrator(operators)
  await page.evaluate(() =>
    sessionStorage.setItem('console-draft:/roles/clerk', '{"changes":{"name":"Clerk"}}'),
  )
  await page.context().clearCookies()
  const tab = await page.context().newPage()
  await signInToConsole(tab, `${operators.origin}/console`, another.username)
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith('oidc-services.')) sessionStorage.removeItem(key)
    }
  })
  await page.reload()
  await page.getByRole('table', { name: 'Tenants' }).waitFor()
  const entries = await page.evaluate(() => Object.entries(sessionStorage))
  const users = entries.flatMap(([key, value]) =>
    key.startsWith('oidc') ? [JSON.parse(String(value)).profile.sub] : [],
  )
  expect(users).toEqual([another.id, another.id])
  expect(entries.map(([key]) => key).filter((key) => key.includes('draft'))).toEqual([])
}
