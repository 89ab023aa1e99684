import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import type { Tenant } from '../tenant.ts'

/**
 * An operator's main tasks. Each task begins on the page that is open. The tests of the API check the effects
 * of the tasks.
 */

/**
 * Starts a stub of the operator's own server, and allows private addresses so that the product can reach it.
 */
async function startReceiver({ call }: Tenant, answer: RequestListener): Promise<string> {
  const receiver = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await once(receiver, 'listening')
  await call('PATCH', '/configs/settings', { allowPrivateTargets: true })
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
}

/**
 * Creates a role and deletes it, typing its name to confirm. Checks that the console does not read a deleted
 * role again, and that the dialog shows an error.
 */
export async function createRole(page: Page, { origin, call }: Tenant): Promise<void> {
  await page.goto(`${origin}/console/access/apis`)
  await page.getByRole('button', { name: 'New API' }).click()
  await page.getByLabel('Name').fill('Orders')
  await page.getByLabel('Identifier').fill('https://orders.example.com')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'New permission' }).click()
  await page.getByLabel('Permission', { exact: true }).fill('orders:read')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('table', { name: 'Permissions' }).getByText('orders:read').waitFor()

  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Roles and APIs' }).click()
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByLabel('Name').fill('Clerk')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL('**/console/access/roles/*')
  await page.getByText('orders:read').click()
  await page.getByRole('button', { name: 'Save: Permissions' }).click()
  const id = page.url().split('/').at(-1)
  await expect
    .poll(() => call('GET', `/roles/${id}/scopes`))
    .toEqual([expect.objectContaining({ name: 'orders:read' })])

  // A browser would normalise the path of the API with this id to the path of the role.
  await page.goto(`${origin}/console/access/apis/..%5Croles%5C${id}`)
  await page.getByRole('alert').getByText('There’s nothing at this URL.').waitFor()
  const dialog = page.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true })
  const remove = async (roleId: string | undefined, name: string) => {
    await page.goto(`${origin}/console/access/roles/${roleId}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(name)
  }
  const other = await call<{ id: string }>('POST', '/roles', { name: 'Gone', description: '' })
  await remove(other.id, 'Gone')
  await call('DELETE', `/roles/${other.id}`)
  await confirm.click()
  await dialog.getByRole('alert').waitFor()
  await remove(id, 'Clerk')
  await confirm.click()
  await page.waitForURL('**/console/access')
  await page.getByRole('table', { name: 'Roles' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Clerk' }).count()).toBe(0)
}

/**
 * Creates a webhook and sends a test message, which appears in the log. A reload loses only the headers, because they
 * may contain credentials.
 */
export async function createWebhook(page: Page, tenant: Tenant): Promise<void> {
  const url = await startReceiver(tenant, (_, response) => response.writeHead(503).end('busy'))
  await page.goto(`${tenant.origin}/console/hooks`)
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Event').selectOption('PostSignIn')
  await page.getByLabel('URL', { exact: true }).fill(url)
  await page.getByRole('button', { name: 'Create' }).click()
  expect(await page.getByRole('dialog').locator('pre, code').first().textContent()).toMatch(/^whsec_/)
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByText('We haven’t sent anything yet.').waitFor()
  const id = page.url().split('/').at(-1)
  await page.getByLabel('Immediate retries').fill('0')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send a test message' }).click()
  const sentTable = page.getByRole('table', { name: 'Sent messages' })
  await sentTable.getByText('Responded with 503').waitFor()
  await sentTable.getByRole('button', { name: 'Show' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('"primaryEmail": "test@example.com"').waitFor()
  expect(await dialog.locator('pre').first().textContent()).toBe('busy')
  await page.keyboard.press('Escape')

  await page.getByLabel('URL', { exact: true }).fill(`${url}other`)
  await page.getByLabel('Headers').fill('X-Key: of the receiver')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('of the receiver')
  await page.reload()
  await expect.poll(() => page.getByLabel('URL', { exact: true }).inputValue()).toBe(`${url}other`)
  await page.getByText('What you typed was lost').waitFor()
  expect(await page.getByLabel('Headers').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).dblclick()
  await page.getByText('Change undone').waitFor()
  expect(await tenant.call('GET', `/hooks/${id}`)).toMatchObject({ config: { url, retries: 0 } })
}

/** Sends a message through the operator's own message service, and finds it in the log of sent messages. */
export async function sendMessage(page: Page, tenant: Tenant): Promise<void> {
  const messages: string[] = []
  const endpoint = await startReceiver(tenant, async (request, response) => {
    messages.push(Buffer.concat(await request.toArray()).toString())
    response.writeHead(200).end('{}')
  })
  await page.goto(`${tenant.origin}/console/connectors/new/http-email`)
  await page.getByLabel('Address', { exact: true }).fill(endpoint)
  await page.getByLabel('Authentication').selectOption('None')
  await page.getByRole('button', { name: 'Install' }).click()
  await page.waitForURL('**/console/connectors/*-email*')
  await page.getByLabel('Send to this address').fill('operator@example.com')
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByText('The provider accepted the message to operator@example.com.').waitFor()
  expect(messages.join()).toContain('operator@example.com')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('table', { name: 'What we sent' }).getByText('accepted').waitFor()
}

/**
 * Changes a limit and rotates the signing keys. Then checks how the console shows that the settings differ
 * from the applied file.
 */
export async function changeSettings(page: Page, { origin, call }: Tenant): Promise<void> {
  await page.goto(`${origin}/console/settings/limits`)
  await page.getByLabel('codes sent, except to reset a password: Limit', { exact: true }).fill('7')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  expect(await call('GET', '/configs/settings')).toMatchObject({
    limits: { codeSendsPerAddress: { count: 7 } },
  })

  await page.getByRole('link', { name: 'Signing keys' }).click()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click()
  await page.getByText('Published, not signing yet').first().waitFor()

  await call('PUT', '/configs/code', { sections: ['settings'], fingerprint: '0'.repeat(64) })
  await page.reload()
  await page.getByRole('link', { name: 'See whether settings have changed since' }).click()
  await page.getByText('Settings have changed since').waitFor()
  await page.getByRole('button', { name: 'Stop managing by code' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop managing' }).click()
  await expect.poll(() => call('GET', '/configs/code')).toMatchObject({ sections: [] })
}

/**
 * Answers the question of the start page, and follows its link to require a second factor of all administrators, of
 * which the operator has none.
 */
export async function followStartPage(page: Page, { origin, call }: Tenant): Promise<void> {
  await page.goto(`${origin}/console`)
  await page.getByRole('button', { name: 'Use email addresses' }).click()
  await page.getByRole('status').getByText('Users now sign up and sign in with').waitFor()
  await page.getByRole('heading', { name: 'What do your users sign in with?' }).waitFor({ state: 'detached' })
  expect(await call('GET', '/sign-in-exp')).toMatchObject({
    signUp: { identifiers: ['email'], password: true, verify: true },
    signIn: { methods: [{ identifier: 'username' }, { identifier: 'email', password: true }] },
  })

  await page.getByRole('link', { name: 'Require a second factor' }).click()
  await page.getByText('All administrators need a second factor').click()
  await page.getByRole('status').getByText('You don’t have a second factor yet.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  expect(await call('GET', '/configs/settings')).toMatchObject({ administratorsNeedSecondFactor: true })
  await page.getByRole('link', { name: 'Start', exact: true }).click()
  await page.getByText(/^Checked and OK/).click()
  await page.getByText('All administrators need a second factor.').waitFor()
}
