import { afterAll, expect, it } from 'vitest'
import { freshName } from '../kit/cookie-client.ts'
import { openInvitedConsole } from './console.ts'
import { axeViolations } from './inspection.ts'
import { pressButton } from './steps.ts'
import { openTenant } from './tenant.ts'
import { startUpstream } from './upstream.ts'
import { registerConnector } from './upstream-connectors.ts'

/** Connectors in the console (spec/console#connectors). */

const upstream = await startUpstream()
afterAll(() => upstream.close())

it('from the printed link: an administrator sets up a provider by its guide, and users sign in with it', async () => {
  const tenant = await openTenant({ signUp: { identifiers: [], password: false, verify: false } })
  const { page, complaints } = await openInvitedConsole(tenant)
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Connectors' }).click()
  await page.getByRole('link', { name: 'Google' }).click()
  await page.getByRole('heading', { name: 'Set up Google' }).waitFor()
  const callback = `${tenant.origin}/callback/google`
  await page.getByRole('button', { name: 'Copy: Callback address' }).waitFor()
  expect(await page.locator('.copyable code').textContent()).toBe(callback)
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Install' }).click()
  expect(await page.getByText('This is needed.').count()).toBe(2)
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
  await page.getByRole('button', { name: 'Install' }).click()
  await page.waitForURL(`${tenant.origin}/console/connectors/google`)

  // What is stored is not shown, and is kept.
  await expect.poll(() => page.getByLabel('Client secret').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Check the credentials' }).click()
  await page.getByText('The provider knows them.').waitFor()
  await expect.poll(() => page.getByLabel('Show on the sign-in page').isChecked()).toBe(true)

  const id = freshName()
  await fetch(`${upstream.openid}/accounts`, { method: 'POST', body: JSON.stringify({ id, name: id }) })
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Open a sign-in' }).click()
  const trial = await opened
  await pressButton(trial, 'Sign in')
  await pressButton(trial, 'Continue with Google')
  await pressButton(trial, id)
  await trial.getByText(id).first().waitFor()
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByText('came back with an account').waitFor()

  await page.getByRole('button', { name: 'Remove the connector' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox').fill('Google')
  await dialog.getByRole('button', { name: 'Remove the connector' }).click()
  await page.getByText('None yet. Choose one below.').waitFor()
  expect(await tenant.call('GET', '/connectors')).toEqual([])
  expect(complaints).toEqual([])
})
