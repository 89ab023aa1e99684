import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import { axeViolations } from '../inspection.ts'
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
 * Deletes a role, typing its name to confirm. Checks that the console does not read a deleted role again, and that the
 * dialog shows an error. console-apis.test.ts creates a role and its permissions.
 */
export async function deleteRole(page: Page, { origin, call }: Tenant): Promise<void> {
  const { id } = await call<{ id: string }>('POST', '/roles', { name: 'Clerk', description: '' })
  // A browser would normalise the path of the API with this id to the path of the role.
  await page.goto(`${origin}/console/access/apis/..%5Croles%5C${id}`)
  await page.getByRole('alert').getByText('There’s nothing at this URL.').waitFor()
  const dialog = page.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true })
  const remove = async (roleId: string, name: string) => {
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
  const dialog = page.getByRole('dialog')
  await dialog.getByText('A user signed in.').click()
  await dialog.getByText('The user was given roles').click()
  await dialog.getByText('Example User.RolesChanged').click()
  await dialog.getByText('"name": "Test Role"').waitFor()
  await page.getByLabel('URL', { exact: true }).fill(url)
  await page.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText(/^whsec_/).waitFor()
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
  const events = ['PostSignIn', 'User.RolesChanged']
  expect(await tenant.call('GET', `/hooks/${id}`)).toMatchObject({ events, config: { url, retries: 0 } })
  await page.getByText('Node.js', { exact: true }).click()
  await page.getByText('new Webhook(process.env.HOOK_SECRET)').waitFor()
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
  await editTemplate(page, tenant, messages)
}

/** Writes a text for a message, beginning with the built-in one, and sends it before it is saved. */
async function editTemplate(page: Page, tenant: Tenant, messages: readonly string[]): Promise<void> {
  const frame = page.frameLocator('iframe[title="Preview of the email"]')
  await frame.locator('.code').waitFor()
  await page.getByLabel('Language of the text').selectOption('de')
  await frame.getByText('Der Code ist 10 Minuten gültig.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Begin with our HTML' }).click()
  await frame.locator('.code', { hasText: '000000' }).waitFor()
  // The policy of the console blocks inline styles unless the frame collects them.
  const background = () => frame.locator('.code').evaluate((code) => getComputedStyle(code).textAlign)
  expect(await background()).toBe('center')

  const content = page.getByLabel('Body', { exact: true })
  expect(await content.inputValue()).toContain('{{code}}')
  await page.getByLabel('Subject').fill('{{brnad}}!')
  await page.getByText('This message has no value for {{brnad}}.').waitFor()
  await page.getByLabel('Subject').fill('Hallo')
  await content.fill('<script>parent.document.title = "no"</script><b style="color: red">Bald</b>')
  await page.getByText('Without {{code}}, users can’t see their code.').waitFor()
  await page.getByRole('button', { name: 'Insert {{code}}' }).click()
  await frame.getByText('Bald').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Send this message to the address').fill('operator@example.com')
  await page.getByRole('button', { name: 'Send this message', exact: true }).click()
  await expect.poll(() => messages.length).toBe(2)
  const sent = JSON.parse(messages[1] ?? '')
  expect(sent).toMatchObject({ type: 'SignIn', language: 'de', subject: 'Hallo' })
  expect(sent.html).toMatch(/Bald<\/b>000000$/)

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  const [{ config }] = await tenant.call<[{ config: object }]>('GET', '/connectors')
  const template = { usageType: 'SignIn', language: 'de', subject: 'Hallo', contentType: 'text/html' }
  expect(config).toMatchObject({ templates: [template] })
}

/**
 * Sets up a mail server that cannot be reached, whose password the console neither shows again nor requires for other
 * changes. Its failed test message leaves a trace.
 */
export async function setUpMailServer(page: Page, tenant: Tenant): Promise<void> {
  const stored = async () => (await tenant.call<[{ config: object }]>('GET', '/connectors'))[0].config
  await page.goto(`${tenant.origin}/console/connectors/new/simple-mail-transfer-protocol`)
  await page.getByLabel('Host', { exact: true }).fill('localhost')
  await page.getByLabel('Port', { exact: true }).fill('1')
  await page.getByLabel('From address').fill('no-reply@example.com')
  await page.getByLabel('Password', { exact: true }).fill('the-password')
  expect(await page.getByLabel('Host name sent in EHLO').isVisible()).toBe(false)
  await page.getByLabel('User name').fill('post')
  await page.getByText('It replaces HTTP').waitFor()
  await page.getByText('First, we check').waitFor()
  const checks: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/check')) checks.push(new URL(request.url()).pathname)
  })
  await page.getByRole('button', { name: 'Install' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('We couldn’t connect to the server.').waitFor()
  expect(await stored()).not.toHaveProperty('host')
  await question.getByRole('button', { name: 'Install anyway' }).click()
  await page.waitForURL('**/console/connectors/smtp')
  const login = { user: 'post', pass: '********' }
  expect(await stored()).toMatchObject({ host: 'localhost', auth: login })
  // The page of the connector shows the result of the check that was made before.
  await page.getByRole('alert').getByText('We couldn’t connect to the server.').waitFor()
  expect(checks).toEqual(['/api/connector-factories/simple-mail-transfer-protocol/check'])

  await page.getByLabel('Send to this address').fill('operator@example.com')
  await page.getByRole('button', { name: 'Send a test message' }).click()
  const reason = 'The message wasn’t sent. We couldn’t connect to the server.'
  await page.getByRole('alert').getByText(reason).waitFor()
  await page.getByRole('link', { name: 'Connectors' }).first().click()
  await page.getByText(/The last message failed at .*\. We couldn’t connect to the server\./).waitFor()
  await page.getByRole('link', { name: 'SMTP' }).click()

  await page.getByText('A value is stored. Leave the field empty to keep it.').waitFor()
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
  await page.getByLabel('User name').fill('other')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(stored).toMatchObject({ auth: { user: 'other', pass: '********' } })
  await page.getByLabel('User name').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => 'auth' in (await stored())).toBe(false)
  await page.locator('label select').first().selectOption('de')
  await page.getByText('Häufige Fehler:').waitFor()
  await page.locator('label select').first().selectOption('en')
  await page.getByText('Common mistakes:').waitFor()
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
  await page.getByText('Your own account has no email address.').waitFor()
  await page.getByRole('button', { name: 'Use email addresses' }).click()
  await page.getByRole('status').getByText('Users now sign up and sign in with').waitFor()
  await page.getByRole('heading', { name: 'What do your users sign in with?' }).waitFor({ state: 'detached' })
  expect(await call('GET', '/sign-in-exp')).toMatchObject({
    signUp: { identifiers: ['email'], password: true, verify: true },
    signIn: { methods: [{ identifier: 'username' }, { identifier: 'email', password: true }] },
  })

  await page.getByRole('link', { name: 'Require a second factor' }).click()
  await page.getByText('All administrators need a second factor').click()
  await page.getByRole('status').getByText('You don’t have one of these factors yet.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  expect(await call('GET', '/configs/settings')).toMatchObject({ administratorsNeedSecondFactor: true })
  const setUp = page.getByRole('link', { name: 'Set one up now' })
  expect(await setUp.getAttribute('href')).toBe(`${origin}/account/factors`)
  await page.getByRole('link', { name: 'Start', exact: true }).click()
  await page.getByText(/^Checked and OK/).click()
  await page.getByText('All administrators need a second factor.').waitFor()
}
