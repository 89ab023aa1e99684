import { expect, it } from 'vitest'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  desktopOptions,
  mobileOptions,
  openPage,
  pictureSweep,
  savePicture,
  withoutScript,
} from '../browser.ts'
import { ageSignIn } from '../database.ts'
import { expectSound, smallTargets } from '../inspection.ts'
import { signInByCalls, signInOnPage } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'

/**
 * Tests the pages of the account centre that use the card of the sign-in pages (spec/account-centre#card), and where
 * final pages lead. own-address.test.ts undoes a change without JavaScript.
 */

const tenant = await openTenant({
  branding: { name: 'Northwind' },
  color: bothThemes,
})
const shop = await tenant.openApplication('Corner Shop')

const looks = [
  { name: 'arabic', options: { ...mobileOptions, locale: 'ar' } },
  { name: 'phone', options: mobileOptions },
  { name: 'desktop', options: desktopOptions },
  { name: 'dark', options: { ...desktopOptions, colorScheme: 'dark' as const } },
]

const invite = async () => (await tenant.call<{ url: string }>('POST', '/administrator-invitations', {})).url

/** Invites a supporter with a link that the inviter passes on, and whose page sends another link to the address. */
const copyInvitation = async (email: string) =>
  (
    await tenant.call<{ url: string }>('POST', '/invitations', {
      email,
      roleIds: ['support-role'],
      delivery: 'link',
      lifetimeSeconds: 604_800,
    })
  ).url

/** Returns the link that was sent to an address. */
async function sentLink(email: string): Promise<string> {
  const answer = await fetch(`${tenant.origin}/dev/inbox.json?to=${encodeURIComponent(email)}`)
  const link = /https?:[^\s"]+token=\w+/.exec(await answer.text())?.[0]
  if (!link) throw new Error(`no link to ${email}`)
  return link
}

it.each(pictureSweep.isExhaustive ? looks : looks.slice(0, 1))(
  'invitations and final pages are sound: $name',
  async ({ name, options }) => {
    const username = await tenant.registeredName()
    const { page, complaints } = await openPage(options)
    const look = async (address: string, what: string) => {
      await page.goto(address.startsWith('http') ? address : tenant.origin + address)
      await expectSound(page)
      expect(await smallTargets(page)).toEqual([])
      await savePicture(page, `card-${what}-${name}`)
    }
    await look(await invite(), 'invitation')
    const invited = `supporter-${name}@example.com`
    await look(await copyInvitation(invited), 'invitation-copied')
    await page.locator('main [value=send]').click()
    await page.getByRole('status').getByText(invited).waitFor()
    await look(await sentLink(invited), 'invitation-sent')
    await look('/unknown-session', 'unknown-session')
    await signInByCalls(page, tenant, username)
    await page.goto(`${tenant.origin}/account`)
    await page.getByText(username).first().waitFor()
    await look(await invite(), 'invitation-signed-in')
    await look('/signed-in', 'signed-in')
    expect(complaints.filter((text) => !/status of 400/.test(text))).toEqual([])
  },
)

it('without JavaScript, an invited person creates an account', async () => {
  const { page } = await openPage(withoutScript)
  await page.goto(await copyInvitation('support@example.com'))
  await page.getByText('Join Northwind as an administrator').waitFor()
  await page.locator('main [value=send]').click()
  await page.getByText('We’ve sent a link to support@example.com.').waitFor()
  await page.goto(await sentLink('support@example.com'))
  await page.locator('main [name=identifier]').fill('invited_person')
  for (const field of await page.locator('main [type=password]').all()) await field.fill(PASSWORD)
  await page.locator('main [value=create]').click()
  await page.waitForURL('**/console**')

  const late = await openPage(withoutScript)
  await late.page.goto(`${tenant.origin}/account/invitation?token=${'A'.repeat(43)}`)
  await late.page.getByText('Ask the person who invited you for a new link.').waitFor()
})

it('going back after a sign-in offers to continue to the application', async () => {
  const username = await tenant.registeredName()
  const { page } = await openPage()
  await page.goto((await shop.authorizationUrl()).url)
  const form = page.url()
  await signInOnPage(page, username)
  await page.waitForURL(`${shop.callback}**`)
  await page.goto(form)
  await page.getByRole('heading', { name: 'You’ve already signed in' }).waitFor()
  await expectSound(page)
  await savePicture(page, 'card-already-signed-in')
  expect(await page.content()).not.toContain(username)
  // A stranger does not even learn that somebody has signed in.
  const stranger = await openPage(withoutScript)
  await stranger.page.goto(form)
  await stranger.page.getByRole('heading', { name: 'This sign-in can’t continue' }).waitFor()
  await page.getByRole('link', { name: 'Continue to Corner Shop' }).press('Enter')
  await page.waitForURL(`${shop.callback}**`)
})

it('a change that needs a fresh proof says why, and fills in the account', async () => {
  const username = await tenant.registeredName()
  const { page } = await openPage(withoutScript)
  const signIn = async () => {
    await page.locator('main [name=password]').fill(PASSWORD)
    await page.locator('main button[name=submit]').click()
  }
  await page.goto(`${tenant.origin}/account/sign-in`)
  await page.locator('main [name=identifier]').fill(username)
  await signIn()
  await page.waitForURL('**/account/sign-in')
  ageSignIn(username)
  await page.goto(`${tenant.origin}/account/password`)
  await page.getByText('To protect your account, sign in again').waitFor()
  expect(await page.locator('main [name=identifier]').inputValue()).toBe(username)
  await signIn()
  await page.waitForURL('**/account/password')
})
