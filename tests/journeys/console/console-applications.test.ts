import { spawn } from 'node:child_process'
import type { Locator, Page } from 'playwright'
import { expect, it, onTestFinished } from 'vitest'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freePort } from '../../kit/free-port.ts'
import { axeViolations } from '../inspection.ts'
import { followLink, passwordField, usernameField } from '../steps.ts'
import { openTenant } from '../tenant.ts'
import { openConsole } from './console.ts'

/** Tests applications in the console (spec/console#applications). */

/** Makes the sample program resolve tenants' hosts the way Chromium does. */
const HOSTS = new URL('../test-hosts.ts', import.meta.url).href

/** Runs the code of a guide as the console shows it, and waits until the program responds. */
async function runGuide(code: string, { secret, origin }: { secret: string; origin: string }): Promise<void> {
  const child = spawn(process.execPath, ['--import', HOSTS, '--input-type=module', '--eval', code], {
    env: { ...process.env, CLIENT_SECRET: secret },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  await expect
    .poll(
      () =>
        fetch(origin).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(200)
}

const hasFocus = (element: Locator) => element.evaluate((each) => each === document.activeElement)

/** A number of key presses that exceeds the number of controls on every page. */
const MAX_TABS = 60

/** Moves the focus to a control with the Tab key. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    if (await hasFocus(control)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${control} is not reached by the Tab key`)
}

async function pressAt(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

it('the console lets a keyboard user create an application, try its sign-in and run its sample code', async () => {
  const tenant = await openTenant()
  const username = await tenant.registeredName()
  const { page, complaints } = await openConsole(tenant)
  const application = `http://localhost:${await freePort()}`

  await page.getByRole('heading', { name: 'No email connector' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  // The rest of the test uses only the keyboard.
  await pressAt(page, page.getByRole('link', { name: 'Applications' }))
  await pressAt(page, page.getByRole('link', { name: 'Create an application' }))
  await tabTo(page, page.getByRole('radio', { name: 'Single-page application' }))
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('radio', { name: 'Web application' }).isChecked()).toBe(true)
  await tabTo(page, page.getByLabel('Name'))
  await page.keyboard.type('Web shop')
  await tabTo(page, page.getByLabel('Redirect URIs'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('localhost')
  await page.getByText('localhost: isn’t a URL').waitFor()
  const create = page.getByRole('button', { name: 'Create an application' })
  expect(await create.isDisabled()).toBe(true)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(`${application}/callback`)
  await pressAt(page, create)

  // The secret is hidden until the user asks to see it.
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  const first = (await page.locator('.new-secret code').textContent()) ?? ''
  await page.getByRole('radio', { name: 'Node.js', exact: true }).check({ force: true })
  const code = (await page.locator('.guide pre', { hasText: 'createServer' }).textContent()) ?? ''
  expect(code).toContain(`${application}/callback`)
  expect(code).not.toContain(first)
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('navigation', { name: 'Web shop' }).getByRole('link', { name: 'Settings' }).click()
  const description = page.getByLabel('Description')
  await description.fill('Sells things')
  await page.getByText('Security', { exact: true }).click()
  await page.getByText(/^Third-party application/).click()
  await page.getByText(/^Third-party application/).click()
  await description.focus()
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await expect.poll(() => hasFocus(description)).toBe(true)
  expect(await axeViolations(page)).toEqual([])

  await page.reload()
  const areas = page.getByRole('navigation', { name: 'Areas' })
  await page.getByText('API access').scrollIntoViewIfNeeded()
  await areas.getByRole('link', { name: 'Users' }).press('Enter')
  await expect.poll(() => hasFocus(page.getByRole('heading', { name: 'Users' }))).toBe(true)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByLabel('When the current secret stops working').selectOption('In a day')
  await page.getByRole('button', { name: 'Replace the secret' }).click()
  await expect.poll(() => hasFocus(page.locator('.new-secret'))).toBe(true)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  const secret = (await page.locator('.new-secret code').textContent()) ?? ''
  expect([secret.length, secret === first]).toEqual([21, false])
  await page.getByText(/^Accepted until [A-Z]/).waitFor()
  await page.getByRole('button', { name: 'Revoke now' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke now' }).click()
  await page.getByText(/^Accepted until /).waitFor({ state: 'detached' })
  await runGuide(code, { secret, origin: application })

  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Try it now' }).click()
  await page.getByRole('link', { name: 'Open in a new tab' }).click()
  const trial = await opened
  // The browser remembers the operator.
  await followLink(trial, 'Use another account')
  await usernameField(trial).fill(username)
  await passwordField(trial).fill(PASSWORD)
  await trial.keyboard.press('Enter')
  // The sample program rejects this response, because it did not start the sign-in.
  await trial.waitForURL(`${application}/callback?**`)
  await trial.goto(application)
  await trial.getByRole('link', { name: 'Sign in' }).click()
  await trial.getByText('Signed in as').waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox').fill('Web shop')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Applications' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Web shop' }).count()).toBe(0)
  expect(complaints).toEqual([])
})
