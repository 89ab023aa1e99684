import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Locator, Page } from 'playwright'
import { expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { desktopOptions, openPage } from '../browser.ts'
import { axeViolations } from '../inspection.ts'
import type { NewApplication } from '../management.ts'
import { signInByCalls } from '../steps.ts'
import { openTenant, type Tenant } from '../tenant.ts'
import { openConsole } from './console.ts'

/** Tests how an operator protects an API in the console (spec/console#protect-an-api, #service-roles, #claims). */

const API = 'https://orders.example.com'

type TokenAnswer = { access_token: string; scope?: string; error?: string }

async function requestToken({ origin }: Tenant, form: Record<string, string>, client?: NewApplication) {
  const answer = await fetch(`${origin}/oidc/token`, {
    method: 'POST',
    headers: client ? { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` } : {},
    body: new URLSearchParams({ resource: API, ...form }),
  })
  return (await answer.json()) as TokenAnswer
}

/** Requests a token as a service does. */
const serviceToken = (tenant: Tenant, service: NewApplication) =>
  requestToken(tenant, { grant_type: 'client_credentials', scope: 'orders:read' }, service)

/** Signs the user in to a new application, and returns the claims of its access token for the API. */
async function userClaims(tenant: Tenant, username: string) {
  const { callback } = await tenant.openApplication()
  const { id } = await tenant.call<NewApplication>('POST', '/applications', {
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [callback], postLogoutRedirectUris: [] },
  })
  const { page } = await openPage(desktopOptions)
  await signInByCalls(page, tenant, username)
  const verifier = crypto.randomUUID() + crypto.randomUUID()
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid orders:read',
    resource: API,
    state: 'state',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  })
  await page.goto(`${tenant.origin}/oidc/auth?${query}`)
  await page.waitForURL(`${callback}?**`)
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, client_id: id }
  return decodeJwt((await requestToken(tenant, { ...form, code_verifier: verifier })).access_token)
}

/** Moves the focus to a control with the Tab key and presses a key there. */
async function keyAt(page: Page, control: Locator, key = 'Enter') {
  // Finding the control by its role at every stop would take most of the time.
  const element = await control.elementHandle()
  for (let tabs = 0; tabs < 120; tabs++) {
    if (await element?.evaluate((each) => each === document.activeElement)) return page.keyboard.press(key)
    await page.keyboard.press('Tab')
  }
  throw new Error(`${control} is not reached by the Tab key`)
}

it('the console leads from a new API to a service with a token and a claim of the operator', async () => {
  const tenant = await openTenant()
  const { call } = tenant
  const username = freshName()
  const { id: user } = await tenant.createUser({ username, name: 'Ada Lovelace', password: PASSWORD })
  await call('PATCH', `/users/${user}`, { customData: { department: 'Books' } })
  const service = await call<NewApplication>('POST', '/applications', {
    name: 'Robot',
    type: 'MachineToMachine',
  })
  const { page, complaints } = await openConsole(tenant, { path: `/applications/${service.id}/guide` })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const open = (path: string) => page.goto(`${tenant.origin}/console${path}`)
  const type = async (field: Locator, text: string) => {
    await keyAt(page, field, 'End')
    await page.keyboard.type(`${text}\n`)
  }
  const steps = () => page.locator('.steps h3 .tag').allTextContents()

  // Everything up to the first token is done with the keyboard.
  // The link of the guide opens the dialog, which a reload doesn't open again once it is closed.
  await keyAt(page, page.getByRole('link', { name: 'Create an API' }))
  await page.getByRole('dialog', { name: 'New API' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL('**/console/access/apis')
  await page.goBack()
  await keyAt(page, page.getByRole('link', { name: 'Create an API' }))
  await page.getByLabel('Name', { exact: true }).fill('Orders')
  await type(page.getByLabel('Identifier', { exact: true }), API)
  await page.waitForURL(/\/console\/access\/apis\/\w+$/)
  const api = page.url().split('/').at(-1) ?? ''
  await expect.poll(steps).toEqual(['To do', 'To do', 'To do'])
  await keyAt(page, page.getByRole('link', { name: 'Add the first permission' }))
  await keyAt(page, button('New permission'))
  await type(page.getByLabel('Permission', { exact: true }), 'orders:read')
  await expect.poll(steps).toEqual(['Complete', 'To do', 'To do'])
  await page.locator('pre', { hasText: API }).filter({ hasText: 'orders:read' }).first().waitFor()
  await keyAt(page, page.getByRole('link', { name: 'Choose or create a role' }))
  await keyAt(page, button('New role'))
  await type(page.getByLabel('Name'), 'Clerk')
  await page.waitForURL('**/console/access/roles/*')
  const role = page.url().split('/').at(-1) ?? ''
  await keyAt(page, page.getByRole('checkbox', { name: /orders:read/ }), 'Space')
  expect(await call('GET', `/roles/${role}/scopes`)).toEqual([])
  await keyAt(page, button('Save: Permissions'))
  await page.getByText('Permissions: Saved').waitFor()
  await keyAt(page, page.getByLabel('Add a service'), 'R')
  await keyAt(page, button('Give it to the service'))
  await page.getByText('Robot now has this role').waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(await serviceToken(tenant, service)).toMatchObject({ scope: 'orders:read' })

  // A permission of the product itself is added only after a confirmation.
  await page.getByText('Built-in permissions: Management API').click()
  await page.getByText('See users').click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.getByRole('checkbox', { name: /users:read/ }).isChecked()).toBe(false)
  await page.getByText('See users').click()
  await question.getByRole('button', { name: 'Add' }).click()
  expect(await page.getByRole('checkbox', { name: /users:read/ }).isChecked()).toBe(true)
  await button('Discard: Permissions').click()
  expect(await page.getByRole('checkbox', { name: /users:read/ }).isChecked()).toBe(false)

  await page.getByRole('link', { name: 'Robot' }).click()
  await button('Remove: Clerk').click()
  await page.getByText('The role Clerk was removed').waitFor()
  expect((await serviceToken(tenant, service)).scope).toBeUndefined()
  await button('Undo').click()
  await page.getByText('Change undone').waitFor()
  expect(await serviceToken(tenant, service)).toMatchObject({ scope: 'orders:read' })
  // Someone else removes the role in the meantime. The error is shown beside the list, which is then up to date.
  await call('DELETE', `/roles/${role}/applications/${service.id}`)
  await button('Remove: Clerk').click()
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Roles', exact: true }) })
  await card.getByRole('alert').waitFor()
  await expect.poll(() => button('Remove: Clerk').count()).toBe(0)

  // The role of owners is assigned only after a confirmation, and the service gets a new secret.
  await page.getByLabel('Add a role').selectOption('Owners (built-in)')
  await button('Assign the role').click()
  await question.getByText('It gets a new secret').waitFor()
  expect(await call('GET', `/applications/${service.id}/roles?withInternal=true`)).toEqual([])
  await question.getByRole('button', { name: 'Assign the role' }).click()
  await button('Show').click()
  const secret = (await page.locator('.new-secret code').textContent()) ?? ''
  expect(await serviceToken(tenant, service)).toMatchObject({ error: 'invalid_client' })
  expect(await serviceToken(tenant, { ...service, secret })).not.toHaveProperty('error')
  await button('Remove: Owners (built-in)').click()
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => call('GET', `/applications/${service.id}/roles?withInternal=true`)).toEqual([])
  await page.getByLabel('Add a role').selectOption('Clerk')
  // On a phone, the button is below the choice, which would be cut off beside it.
  await page.setViewportSize({ width: 390, height: 844 })
  const boxOf = async (control: Locator) => (await control.boundingBox()) ?? { x: 0, y: 0, height: 0 }
  const choice = await boxOf(page.getByLabel('Add a role'))
  const assignment = await boxOf(button('Assign the role'))
  expect(assignment.x).toBe(choice.x)
  expect(assignment.y).toBeGreaterThan(choice.y + choice.height)
  await page.setViewportSize(desktopOptions.viewport)
  await button('Assign the role').click()
  await page.getByText('The role Clerk was assigned').waitFor()

  await open(`/access/apis/${api}`)
  await expect.poll(steps).toEqual(['Complete', 'Complete', 'Complete'])
  await page.locator('pre', { hasText: service.id }).waitFor()
  expect(await page.locator('pre', { hasText: service.id }).textContent()).toContain(API)
  const template = page.getByLabel('Template (JSON)')
  await template.fill('{ "sub": "someone" }')
  await button('Save').click()
  await page.locator('.problem', { hasText: '`sub`' }).waitFor()
  await template.fill('{ "department": "$.customData.department", "source": "shop" }')
  await page.getByText('so don’t derive permissions from it').waitFor()
  await page.getByLabel('Search users').fill('lovelace')
  await page.getByLabel('User', { exact: true }).selectOption('Ada Lovelace')
  await button('Show the claims').click()
  const preview = page.locator('pre', { hasText: '"source": "shop"' })
  await preview.waitFor()
  expect(JSON.parse((await preview.last().textContent()) ?? '')).toEqual({
    department: 'Books',
    source: 'shop',
  })
  expect(await axeViolations(page)).toEqual([])
  await button('Save').click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  expect(await userClaims(tenant, username)).toMatchObject({ department: 'Books', source: 'shop', aud: API })
  expect(complaints).toEqual([])
})
