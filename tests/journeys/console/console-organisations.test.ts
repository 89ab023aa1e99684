import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { browserSweep } from '../browser.ts'
import { axeViolations } from '../inspection.ts'
import { openTenant } from '../tenant.ts'
import { openConsole } from './console.ts'

/** Tests how an operator manages organisations in the console (spec/console#organizations). */

type Entity = { id: string }

it('operators create the template and an organisation, and manage its members, policy, invitations and domains', async () => {
  const tenant = await openTenant()
  const { call } = tenant
  const { id: ownerId } = await tenant.createUser({ username: freshName(), name: 'Olga Owner' })
  const username = freshName()
  const { id: userId } = await tenant.createUser({ username, name: 'Bo Buyer', password: PASSWORD })
  const { id: api } = await call<Entity>('POST', '/resources', {
    name: 'Orders',
    indicator: 'https://orders.example.com',
  })
  await call('POST', `/resources/${api}/scopes`, { name: 'orders:read', description: 'Read orders' })
  const { id: service } = await call<Entity>('POST', '/applications', {
    name: 'Nightly job',
    type: 'MachineToMachine',
  })
  const { page, complaints } = await openConsole(tenant, { path: '/organizations/~scopes' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
  const tick = (place: Pick<Page, 'getByRole'>, name: string) =>
    place.getByRole('checkbox', { name: new RegExp(`^${name}`) }).press('Space')
  const save = async () => {
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
  }

  await button('New scope').click()
  await dialog.getByLabel('Scope').fill('plan:read')
  await inDialog('Create').click()
  await page.getByRole('cell', { name: 'plan:read', exact: true }).waitFor()

  await page.getByRole('link', { name: 'Roles', exact: true }).click()
  await button('New role').click()
  await dialog.getByLabel('Name').fill('Owner')
  await inDialog('Create').click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Name').fill('Buyer')
  await inDialog('Create').click()
  await page.getByRole('heading', { name: 'Buyer' }).waitFor()
  await tick(page, 'See members and invitations')
  await save()
  await tick(page, 'orders:read')
  await tick(page, 'plan:read')
  await button('Save: Scopes').click()
  const roleId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const linked = async (kind: string) =>
    (await call<{ name: string }[]>('GET', `/organization-roles/${roleId}/${kind}`)).map(({ name }) => name)
  await expect.poll(() => linked('resource-scopes')).toEqual(['orders:read'])
  expect(await linked('scopes')).toEqual(['plan:read'])
  expect(await call('GET', `/organization-roles/${roleId}`)).toMatchObject({ permissions: ['members:read'] })

  await page.getByRole('link', { name: 'Organizations', exact: true }).first().click()
  await button('New organization').click()
  await dialog.getByLabel('Name').fill('Acme')
  await dialog.getByLabel('User ID of the owner').fill('unknown')
  await inDialog('Create').click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('User ID of the owner').fill(ownerId)
  await inDialog('Create').click()
  await page.getByRole('heading', { name: 'Acme' }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

  await tick(page, 'Password')
  await page.getByLabel('Networks').fill('203.0.113.7/24\n2001:db8::/129')
  await button('Save').click()
  await page
    .getByText(/must be a network such as/)
    .first()
    .waitFor()
  await page.getByLabel('Networks').fill('203.0.113.7/24')
  await tick(page, 'Use a color of its own')
  await page.getByLabel('Brand color', { exact: true }).fill('#aa3311')
  await save()
  expect(await call('GET', `/organizations/${id}`)).toMatchObject({
    policy: { methods: ['password'], networks: ['203.0.113.0/24'] },
    brand: { color: '#aa3311' },
  })
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await button('Add members').click()
  await dialog.getByLabel('Find users').fill('Bo Buy')
  await tick(dialog, 'Bo Buyer')
  await tick(dialog, 'Buyer')
  await inDialog('Add').click()
  const member = page.getByRole('row').filter({ hasText: 'Bo Buyer' })
  await member.getByRole('cell', { name: 'Buyer', exact: true }).waitFor()

  await button('Remove Olga Owner from the organization?').click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await question.getByRole('alert').getByText(/owner/).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()

  // Somebody else changes the roles while the dialog is open. The operator sees that, and saves again.
  await button('Change roles: Bo Buyer').click()
  await tick(dialog, 'owner')
  await call('PUT', `/organizations/${id}/users/${userId}/roles`, { roleIds: [] })
  await inDialog('Save').click()
  await dialog.getByRole('alert').waitFor()
  await inDialog('Save').click()
  await member.getByRole('cell', { name: 'Buyer, owner' }).waitFor()
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Buyer')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody')
  await page.getByText('No member matches.').waitFor()

  if (browserSweep.isExhaustive) await manageServicesAndInvitations()

  await page.goto(`${tenant.origin}/console/users/${userId}/organizations`)
  await page.getByRole('row').filter({ hasText: 'Acme' }).getByText('Buyer, owner').waitFor()
  await page.getByRole('link', { name: 'Acme' }).click()
  await button('Delete').click()
  await question.getByRole('textbox').fill('Acme')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('There are no organizations yet.').waitFor()
  expect(complaints).toEqual([])

  async function manageServicesAndInvitations() {
    await page.getByRole('link', { name: 'Services', exact: true }).click()
    await button('Add a service').click()
    await dialog.getByLabel('Choose a service').selectOption('Nightly job')
    await tick(dialog, 'Buyer')
    await inDialog('Add').click()
    await page.getByRole('row').filter({ hasText: 'Nightly job' }).getByText('Buyer').waitFor()
    expect(await call('GET', `/organizations/${id}/applications`)).toMatchObject([{ id: service }])

    await page.getByRole('link', { name: 'Invitations', exact: true }).click()
    await button('Invite a member').click()
    await dialog.getByLabel('Email address').fill('not an address')
    await inDialog('Send invitation').click()
    await dialog.locator('.problem').getByText(/email/).waitFor()
    await dialog.getByLabel('Email address').fill('new@example.com')
    await tick(dialog, 'Buyer')
    await inDialog('Send invitation').click()
    const invitation = page.getByRole('row').filter({ hasText: 'new@example.com' })
    await invitation.getByText('Pending').waitFor()
    for (const action of ['Send again', 'Revoke']) {
      await button(`${action}: new@example.com`).click()
      await question.getByRole('button', { name: action, exact: true }).click()
      await question.waitFor({ state: 'detached' })
    }
    await invitation.getByText('Revoked').waitFor()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Pending')
    await page.getByText('There are no invitations with this status.').waitFor()

    await page.getByRole('link', { name: 'Domains', exact: true }).click()
    await button('Add a domain').click()
    await dialog.getByLabel('Domain').fill('gmail.com')
    await inDialog('Add').click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Domain').fill('Acme-Customer.com')
    await dialog.getByLabel('People with an address').selectOption('Can join')
    await inDialog('Add').click()
    const proof = page.getByRole('dialog', { name: 'Prove acme-customer.com' })
    await proof.getByText('_vestibule.acme-customer.com').waitFor()
    await proof.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('row').filter({ hasText: 'acme-customer.com' }).getByText('Not proved yet').waitFor()

    await page.getByRole('link', { name: 'Activity', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'OrganizationInvitation.Create' }).first().waitFor()
  }
})
