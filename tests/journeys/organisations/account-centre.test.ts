import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  desktopOptions,
  mobileOptions,
  narrowOptions,
  openPage,
  savePicture,
  scriptless,
  someOf,
  waysOf,
} from '../browser.ts'
import { expectStill, expectWhole, watchContext } from '../inspection.ts'
import { followLink, pressButton, signInByCalls } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'

/**
 * Tests the pages about organisations in a browser (spec/organisations#account-centre). tests/web/organisations tests
 * who may do what.
 */

const tenant = await openTenant({ color: bothThemes })
await tenant.call('PATCH', '/configs/settings', {
  accountCentre: { enabled: true },
  organizations: { usersMayCreate: true },
})
await tenant.call('POST', '/organization-roles', {
  name: 'editor',
  description: 'Writes and publishes articles',
  permissions: ['members:read'],
})

/** Creates a user with a verified address, and opens a page of the account centre. */
async function newPerson(page: Page, name: string, path = '') {
  const username = freshName()
  const email = `${username}@example.com`
  await tenant.createUser({ username, password: PASSWORD, name, primaryEmail: email })
  await signInByCalls(page, tenant, username)
  await page.goto(`${tenant.origin}/account${path}`)
  await page.locator('.account-main').waitFor()
  return email
}

async function createOrganization(page: Page, name: string): Promise<void> {
  await followLink(page, 'Create an organization')
  await page.getByLabel('Name').fill(name)
  await pressButton(page, 'Create')
  await page.getByRole('heading', { name }).waitFor()
}

async function inviteEditor(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: /^Invitations/ }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('editor').check()
  await pressButton(page, 'Send invitation')
  await page.getByRole('status').getByText(`Invitation sent to ${email}.`).waitFor()
}

/** Returns the link in the invitation that was sent to an address. */
async function invitationLink(email: string): Promise<string> {
  const inbox = await fetch(`${tenant.origin}/dev/inbox.json?to=${encodeURIComponent(email)}`)
  return /https?:[^\s"\\]+\/account\/organization-invitation\?[^\s"\\]+/.exec(await inbox.text())?.[0] ?? ''
}

describe.each(waysOf(scriptless))('$script', ({ options }) => {
  it('a user creates an organisation and invites a person, who joins, gets another role and leaves', async () => {
    const owner = await openPage(options)
    const guest = await openPage(options)
    await newPerson(owner.page, 'Ada Lovelace', '/organizations')
    const email = await newPerson(guest.page, 'Grace Hopper')
    await createOrganization(owner.page, 'Analytical Engines')
    await inviteEditor(owner.page, email)

    await guest.page.goto(await invitationLink(email))
    await pressButton(guest.page, 'Accept invitation')
    await guest.page.locator('.account-main').waitFor()
    await followLink(guest.page, 'Organizations')
    await guest.page.getByRole('link', { name: 'Analytical Engines editor' }).click()
    await guest.page.getByRole('link', { name: /^Members/ }).waitFor()

    await followLink(owner.page, 'Analytical Engines')
    await owner.page.getByRole('link', { name: /^Members/ }).click()
    await owner.page.getByText('Grace Hopper').click()
    await owner.page.getByRole('group', { name: 'Roles' }).getByLabel('owner').last().check()
    await owner.page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await owner.page.getByRole('status').getByText('Roles saved.').waitFor()

    await guest.page.reload()
    await guest.page.getByText('owner, editor').waitFor()
    await followLink(guest.page, 'Leave the organization')
    await pressButton(guest.page, 'Leave the organization')
    await guest.page.getByRole('status').getByText('You’ve left the organization.').waitFor()
    await owner.page.reload()
    expect(await owner.page.getByText('Grace Hopper').count()).toBe(0)
    expect([...owner.complaints, ...guest.complaints]).toEqual([])
  })
})

const dark = { colorScheme: 'dark' as const }
const everyView = [
  { name: 'dark arabic', options: { ...mobileOptions, ...dark, locale: 'ar' } },
  { name: 'phone', options: narrowOptions },
  { name: 'desktop', options: desktopOptions },
]

it.each(someOf(everyView, 1))(
  'every page about organisations is accessible and fits the screen: $name',
  async ({ name, options }) => {
    const owner = await openPage()
    await newPerson(owner.page, 'Ada Lovelace', '/organizations')
    const { page, context, complaints } = await openPage(options)
    await watchContext(context)
    const email = await newPerson(page, 'Grace Hopper', '/organizations')
    await createOrganization(owner.page, 'Analytical Engines')
    await inviteEditor(owner.page, email)

    const show = async (path: string) => {
      await page.goto(`${tenant.origin}/account/organizations${path}`)
      await page.locator('.account-main').waitFor()
      await expectStill(page)
      await expectWhole(page)
      await savePicture(
        page,
        `organizations${path.replace(/^\/\w{21}/, '-one').replaceAll(/\W/g, '-')}-${name}`,
      )
    }
    await show('')
    await show('?edit=new')
    await page.locator('[name=name]').fill('Moonlight Publishing House')
    await page.locator('button[value=create]').click()
    await page.waitForURL('**/account/organizations/*')
    const path = new URL(page.url()).pathname.replace('/account/organizations', '')
    await page.goto(`${tenant.origin}/account/organizations${path}/invitations`)
    await page.locator('[name=email]').fill('annabel@example.com')
    await page.locator('button[value=invite]').click()
    await page.locator('main summary').waitFor()
    await page.goto(`${tenant.origin}/account/organizations${path}/domains`)
    await page.locator('[name=domain]').fill('moonlight.example.org')
    await page.locator('button[value=add]').click()
    await page.locator('main summary').waitFor()
    const ends = [
      '',
      '?edit=leave',
      '?edit=delete',
      '/members',
      '/invitations',
      '/domains',
      '/settings',
      '/activity',
    ]
    for (const end of someOf(ends, 2)) await show(path + end)
    expect(complaints).toEqual([])
  },
)
