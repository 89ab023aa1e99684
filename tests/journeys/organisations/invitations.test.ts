import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { mobileOptions, openPage, savePicture, someOf, withoutScript } from '../browser.ts'
import { expectSound, smallTargets } from '../inspection.ts'
import { signInByCalls } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'

/** Tests how people accept invitations to an organisation in a browser (spec/organisations#acceptance). */

const tenant = await openTenant({ branding: { name: 'Northwind' }, color: bothThemes })
const { id: organizationId } = await tenant.call<{ id: string }>('POST', '/organizations', { name: 'Acme' })
const { id: roleId } = await tenant.call<{ id: string }>('POST', '/organization-roles', {
  name: 'Bookkeeper',
})

type Invitation = { id: string; state: string; acceptedBy: string | null }
const path = `/organizations/${organizationId}/invitations`

/** Invites an address and returns the link that was sent to it. */
async function invite(email: string): Promise<{ id: string; link: string }> {
  const { id } = await tenant.call<Invitation>('POST', path, { email, roleIds: [roleId] })
  const answer = await fetch(`${tenant.origin}/dev/inbox.json?to=${encodeURIComponent(email)}`)
  const [link] = /https?:[^\s"]+organization-invitation\?token=\w+/.exec(await answer.text()) ?? []
  if (!link) throw new Error(`no link to ${email}`)
  return { id, link }
}

const read = (id: string) => tenant.call<Invitation>('GET', `${path}/${id}`)

async function createAccount(page: Page): Promise<void> {
  await page.locator('main [name=identifier]').fill(freshName())
  for (const field of await page.locator('main [type=password]').all()) await field.fill(PASSWORD)
  await page.locator('main [value=create]').click()
  await page.waitForURL(`${tenant.origin}/account`)
}

it.each([
  { name: 'in Arabic on a phone', options: { ...mobileOptions, locale: 'ar', colorScheme: 'dark' as const } },
  { name: 'without JavaScript', options: withoutScript },
])('a newcomer and then a member accept $name', async ({ name, options }) => {
  const email = `newcomer-${name.length}@example.com`
  const { id, link } = await invite(email)
  const { page } = await openPage(options)
  await page.goto(link)
  await page.getByText('Bookkeeper').waitFor()
  if (name !== 'without JavaScript') {
    await expectSound(page)
    expect(await smallTargets(page)).toEqual([])
    await savePicture(page, 'organization-invitation-new')
  }
  // Opening the link, even again, does not accept.
  await page.reload()
  expect((await read(id)).state).toBe('pending')
  await createAccount(page)
  expect((await read(id)).state).toBe('accepted')

  const again = await invite(`second-${email}`)
  await page.goto(again.link)
  await page.locator('main [value=continue]').waitFor()
  await savePicture(page, 'organization-invitation-other')
  if (name !== 'without JavaScript') await expectSound(page)
  expect(await page.locator('main [value=accept]').count()).toBe(0)
  await page.locator('main [value=continue]').click()
  await page.waitForURL(`${tenant.origin}/account`)
  expect((await read(again.id)).state).toBe('pending')
})

const ways = [{ name: 'with JavaScript' }, { name: 'without JavaScript', options: withoutScript }]

it.each(someOf(ways, 1))(
  'an account that has verified the address accepts $name, once',
  async ({ options }) => {
    const username = await tenant.registeredName()
    const email = `${username}@example.com`
    const { page } = await openPage(options)
    await signInByCalls(page, tenant, username)
    const [user] = await tenant.call<{ id: string }[]>('GET', `/users?search=${username}`)
    await tenant.call('PATCH', `/users/${user?.id}`, { primaryEmail: email })
    const { id, link } = await invite(email)
    await page.goto(`${tenant.origin}/account`)
    await page.goto(link)
    await page.locator('main [value=accept]').click()
    await page.waitForURL(`${tenant.origin}/account`)
    expect(await read(id)).toMatchObject({ state: 'accepted', acceptedBy: user?.id })
    await page.goto(link)
    await page.getByText('This invitation was already used.').waitFor()
  },
)
