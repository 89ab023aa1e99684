import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { openPage } from '../browser.ts'
import { passwordField, pressButton, usernameField } from '../steps.ts'
import { openTenant } from '../tenant.ts'
import { openConsole } from './console.ts'

const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/**
 * Advances the clock of the page, so that the sign-in is old while the token, which lasts an hour, is still
 * valid.
 */
const moveClock = (page: Page, minutes: number) =>
  page.evaluate((milliseconds) => {
    const { now } = Date
    Date.now = () => now() + milliseconds
  }, minutes * 60_000)

/** Tests the users area and the log area (spec/console#users, spec/console#log). */

it('the console lets administrators manage users: search, suspension, roles, factors, sign-in log, import and export', async () => {
  const tenant = await openTenant()
  const username = freshName()
  const { id } = await tenant.createUser({ username, password: PASSWORD, name: 'Some Body' })
  const { id: locked } = await tenant.createUser({ name: 'Locked Out' })
  await tenant.call('PATCH', `/users/${locked}/is-suspended`, { isSuspended: true })
  const { page, complaints, id: ownId } = await openConsole(tenant, { path: '/users' })
  const tryToSignIn = async () => {
    const { page: other } = await openPage()
    await other.goto(`${tenant.origin}/demo-app`)
    await pressButton(other, 'Sign in')
    await other.waitForURL('**/sign-in?**')
    await usernameField(other).fill(username)
    await passwordField(other).fill(PASSWORD)
    await other.keyboard.press('Enter')
    return other
  }

  const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
  await page.getByLabel('Status').selectOption('Suspended')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await rows.last().textContent()).toContain('Locked Out Suspended')
  await page.getByText('1 in total').waitFor()
  await page.getByLabel('Status').selectOption('Any')
  await page.getByLabel('Second factor').selectOption('None')
  await page.getByLabel('Order').selectOption('By name')
  expect(new URL(page.url()).search).toBe('?factor=none&sort=name')
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  await select('Some Body').check()
  await page.getByRole('checkbox', { name: 'Select all users on this page' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('2 users selected').waitFor()
  const outcome = page.getByRole('status', { name: 'Result of the change' })
  const suspendButton = page.getByRole('button', { name: 'Suspend', exact: true })
  await suspendButton.click()
  await page
    .getByRole('alertdialog', { name: 'Suspend 2 users?' })
    .getByRole('button', { name: 'Suspend' })
    .click()
  await outcome.getByText('2 users were changed.').waitFor()
  await select('Some Body').check()
  await page.getByRole('button', { name: 'Reinstate' }).click()
  await page
    .getByRole('alertdialog', { name: 'Reinstate 1 user?' })
    .getByRole('button', { name: 'Reinstate' })
    .click()
  await outcome.getByText('1 user was changed.').waitFor()
  for (const result of ['1 user was changed.', 'Some Body: ']) {
    await select('Some Body').check()
    await page.getByRole('combobox', { name: 'Choose a role' }).selectOption('Support (built-in)')
    await page.getByRole('button', { name: 'Assign a role' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Assign a role' }).click()
    await outcome.getByText(result).waitFor()
  }
  await tenant.call('PUT', `/users/${id}/roles`, { roleIds: [] })
  await page.getByLabel('Second factor').selectOption('Any')
  await page.getByLabel('Order').selectOption('Newest first')
  await page.getByLabel('Status').selectOption('Active')
  await page.getByRole('searchbox', { name: 'Search' }).fill(username)
  await page.getByRole('link', { name: 'Some Body' }).click()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('The user was suspended and signed out everywhere').waitFor()
  const refused = await tryToSignIn()
  await refused
    .getByText(/suspended/)
    .first()
    .waitFor()

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Suspend' }).waitFor()
  await page.getByRole('link', { name: 'Roles and consents' }).click()
  const giveRole = async () => {
    await page.getByLabel('Add a role').selectOption('Support (built-in)')
    await page.getByRole('button', { name: 'Assign the role' }).click()
    await page.getByRole('cell', { name: 'Support (built-in)', exact: true }).waitFor()
  }
  await giveRole()
  const rolesOf = () => tenant.call('GET', `/users/${id}/roles?withInternal=true`)
  expect(await rolesOf()).toEqual([expect.objectContaining({ id: 'support-role' })])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(rolesOf).toEqual([])

  const takeRole = page.getByRole('button', { name: 'Remove: Support (built-in)' })
  await giveRole()
  await moveClock(page, 56)
  await takeRole.click()
  const warning = page.getByRole('alertdialog', { name: 'Remove: Support (built-in)' })
  await warning.waitFor()
  await moveClock(page, -56)
  await warning.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(rolesOf).toEqual([])
  await giveRole()
  await takeRole.click()
  await page.getByText('The role Support (built-in) was removed').waitFor()
  await moveClock(page, 56)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('To assign it again, you have to sign in again').waitFor()
  await moveClock(page, -56)
  expect(await rolesOf()).toEqual([])

  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Log' }).click()
  await page.getByRole('button', { name: 'Failed sign-ins' }).click()
  await page.getByRole('button', { name: 'Last 24 hours' }).click()
  expect(await page.getByLabel('Events').inputValue()).toBe('Interaction.SignIn.')
  const row = page.getByRole('row').filter({ hasText: 'user.suspended' }).filter({ hasText: 'Some Body' })
  await row.getByRole('link').first().click()
  await page.getByRole('link', { name: 'Interaction timeline' }).click()
  const steps = page.getByRole('listitem').filter({ hasText: /^\+/ })
  await steps.first().waitFor()
  // Earlier steps are logged only once the user has authenticated, which the password does here
  // (spec/storage#interaction-rows).
  expect(await steps.first().textContent()).toContain('Identifier.Password.Submit')
  expect(await steps.filter({ hasText: 'user.suspended' }).first().textContent()).toMatch(
    /Request [\da-f-]{36}/,
  )
  await page.getByRole('link', { name: 'Show in the log' }).click()
  await page.getByRole('row').filter({ hasText: 'Identifier.Password.Submit' }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'Interaction.End' }).count()).toBe(0)
  expect(await page.getByLabel('Interaction ID').inputValue()).not.toBe('')

  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByLabel('Events').selectOption({ label: 'Suspended users' })
  const suspension = page.getByRole('row').filter({ hasText: 'User.Suspend' }).first()
  await suspension.getByText('Administrator').waitFor()
  const [, actorLink] = await suspension.getByRole('link').all()
  const administrator = (await actorLink?.getAttribute('href'))?.split('/').at(-1) ?? ''
  await suspension.getByRole('link').first().click()
  const changedFields = page.getByRole('table', { name: 'Changed fields' }).getByRole('row')
  await changedFields.last().waitFor()
  expect(await changedFields.allTextContents()).toEqual(['FieldBeforeAfter', 'isSuspendedfalsetrue'])
  await page.goto(`${tenant.origin}/console/log`)
  const by = page.getByLabel('By', { exact: true })
  await by.fill(administrator)
  await by.press('Enter')
  await expect.poll(() => by.inputValue()).toMatch(new RegExp(`.+ · ${administrator}$`))
  const of = page.getByLabel('Of', { exact: true })
  // The result for a text is ignored if the user types on, and a failed search takes the text as an id.
  const responses = Promise.withResolvers<void>()
  await page.route('**/api/users?*', async (route) => {
    await responses.promise
    await route.fulfill({ contentType: 'application/json', body: 'cut of' })
  })
  await of.fill('unknown')
  await of.press('Enter')
  await of.fill('unknown-2')
  responses.resolve()
  await of.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('of') === 'unknown-2')
  await page.unroute('**/api/users?*')
  await of.fill(username)
  await of.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('of') === id)
  await page.getByRole('row').filter({ hasText: 'user.suspended' }).first().waitFor({ state: 'detached' })
  await suspension.waitFor()

  await page.goto(`${tenant.origin}/console/users/import`)
  const imported = freshName()
  const buffer = Buffer.from(
    `username,name,totpSecret\n${username},Twice,\n${imported},New,${TOTP_SECRET}\nquote "here,x,\n`,
  )
  await page.getByLabel('File').setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Start the import' }).click()
  await page.getByText('1 created, 0 already existed, 2 rejected').waitFor()
  expect(await page.getByRole('row').allTextContents()).toEqual([
    'LineReasonCode',
    expect.stringMatching(/^2.*user.username_already_in_use$/),
    '4has a quote where it isn’t allowedline',
  ])

  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await page.getByRole('searchbox', { name: 'Search' }).fill(imported)
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await page.getByRole('link', { name: 'Password and factors' }).click()
  await page.getByRole('button', { name: 'Reset second factors' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset second factors' }).click()
  await page.getByText('The second factors were reset').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Reset second factors' }).count()).toBe(0)

  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await page.getByRole('link', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the file' }).click()
  const stream = await (await saved).createReadStream()
  const file = Buffer.concat(await stream.toArray()).toString()
  expect(file).toMatch(/^id,username,.*,customData,identities,passkeys\r\n/)
  expect(file).toContain(`,${username},,,Some Body,`)

  // The console asks users to confirm the removal of their own role. Here, the API rejects the removal of the
  // last owner.
  await page.goto(`${tenant.origin}/console/users/${ownId}/access`)
  await page.getByRole('button', { name: 'Remove: Owners (built-in)' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove Owners (built-in) from yourself?' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await question.getByText('At least one administrator has to stay.').waitFor()
  expect(complaints).toEqual([])
})
