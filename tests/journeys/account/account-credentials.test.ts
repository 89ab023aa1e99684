import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { fromBase32, totpStep } from '../../../src/domain/factors/totp.ts'
import { computeTotpCode } from '../../../src/storage/factors/totp.ts'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  desktopOptions,
  inExhaustiveRun,
  narrowOptions,
  openPage,
  pictureSweep,
  savePicture,
  someOf,
  withoutScript,
} from '../browser.ts'
import { forgetUsedCodes } from '../database.ts'
import { expectStill, expectWhole, watchContext } from '../inspection.ts'
import {
  Authenticator,
  forgetSignals,
  rememberSignals,
  signalsOf,
  withoutAutofill,
  withPasskeys,
} from '../passkeys/virtual-authenticator.ts'
import { startUpstream } from '../social/upstream.ts'
import { registerConnector } from '../social/upstream-connectors.ts'
import { followLink, pressButton, signInOnPage, typeCode } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/**
 * Tests how users manage their sign-in methods and second factors in the account centre
 * (spec/account-centre#sign-in-and-security). tests/security covers permissions.
 */

const tenant = await withPasskeys()
await tenant.call('PATCH', '/configs/settings', { secondFactor: { policy: 'optional' } })

async function newPerson(): Promise<string> {
  const username = freshName()
  await tenant.createUser({ username, password: PASSWORD, name: 'Ada Lovelace' })
  return username
}

const codeOf = (secret: string) =>
  computeTotpCode(fromBase32(secret) ?? new Uint8Array(), totpStep(Date.now()))

/** Enters a code from an authenticator app on a page that sets up an app or requires a code. */
const typeAppCode = async (page: Page, secret: string) => typeCode(page, await codeOf(secret))

it('a user creates, renames and removes a passkey, and the page signals each change to the browser', async () => {
  const { page, complaints } = await openPage()
  await rememberSignals(page)
  await page.addInitScript(withoutAutofill)
  const authenticator = await Authenticator.plugInto(page)
  await page.goto(`${tenant.origin}/account/sign-in`)
  await signInOnPage(page, await newPerson())
  await page.waitForURL('**/account/sign-in')
  // Discard the signals that the page sent to the browser at the sign-in.
  await forgetSignals(page)
  await page.getByRole('link', { name: 'Passkeys You don’t have a passkey yet.' }).click()
  await followLink(page, 'Create a passkey')
  await authenticator.verifies(false)
  await pressButton(page, 'Create a passkey')
  await page.getByRole('alert').getByText('No passkey was created.').waitFor()
  await authenticator.verifies(true)
  await pressButton(page, 'Create a passkey')
  await page.getByRole('status').getByText('Passkey added.').waitFor()
  const [{ credentialId } = { credentialId: '' }] = await authenticator.credentials()
  const id = Buffer.from(credentialId, 'base64').toString('base64url')
  expect(await signalsOf(page)).toMatchObject([
    { allAcceptedCredentialIds: [] },
    { displayName: 'Ada Lovelace' },
    { allAcceptedCredentialIds: [id] },
    { displayName: 'Ada Lovelace' },
  ])

  const passkey = page.locator('main summary')
  await passkey.click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Blue phone')
  await pressButton(page, 'Rename')
  await passkey.getByText('Blue phone').click()
  // The passkey is also a second factor, so the next change requires it.
  await pressButton(page, 'Remove')
  await page.waitForURL('**/sign-in?**')
  await pressButton(page, 'Sign in with a passkey')
  await page.getByRole('status').getByText('Press the button again to finish.').waitFor()
  await pressButton(page, 'Remove')
  await page.getByText('You don’t have a passkey yet.').waitFor()
  expect((await signalsOf(page)).at(-2)).toMatchObject({ allAcceptedCredentialIds: [] })
  expect(complaints).toEqual([])
})

// tests/web/account/account-forms.test.ts completes these tasks over HTTP.
inExhaustiveRun(
  'without JavaScript, a user sets up an authenticator app and gets new backup codes',
  async () => {
    const { page, complaints } = await openPage(withoutScript)
    const username = await newPerson()
    await page.goto(`${tenant.origin}/account/passkeys/new`)
    await signInOnPage(page, username)
    await page.getByText('This way needs JavaScript').waitFor()
    expect(await page.getByRole('button', { name: 'Create a passkey' }).isVisible()).toBe(false)
    await followLink(page, 'Set up an authenticator app')
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const secret = ((await page.locator('.factor-text').textContent()) ?? '').replaceAll(' ', '')
    await typeAppCode(page, secret)
    await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor()
    const codes = await page.locator('.backup-codes li').allTextContents()
    await followLink(page, 'I’ve saved my codes')
    await page.getByText('You have 10 backup codes left.').waitFor()

    forgetUsedCodes(username)
    const openRow = (name: string) => page.locator('main summary', { hasText: name }).click()
    await openRow('Backup codes')
    await pressButton(page, 'Create new codes')
    await signInOnPage(page, username)
    await typeAppCode(page, secret)
    await page.getByRole('status').getByText('Press the button again to finish.').waitFor()
    await pressButton(page, 'Create new codes')
    await page.getByRole('status').getByText('Your earlier backup codes no longer work.').waitFor()
    const renewed = await page.locator('.backup-codes li').allTextContents()
    expect(new Set([...codes, ...renewed]).size).toBe(20)
    await followLink(page, 'I’ve saved my codes')
    await openRow('Authenticator app')
    await pressButton(page, 'Remove')
    await page.getByText('Authenticator app and backup codes removed.').waitFor()
    expect(complaints).toEqual([])
  },
)

inExhaustiveRun('without JavaScript, a user links and unlinks an account at a provider', async () => {
  const upstream = await startUpstream()
  const social = await openTenant()
  const { origin, call } = social
  await call('POST', '/connectors', await registerConnector(upstream, 'oidc', { id: 'up-oidc', origin }))
  await social.offer({ socialSignInConnectorTargets: ['up-oidc'] })
  const { page, complaints } = await openPage(withoutScript)
  const username = freshName()
  await social.createUser({ username, password: PASSWORD })
  await page.goto(`${origin}/account/identities`)
  await signInOnPage(page, username)
  await page.getByText('No linked accounts.').waitFor()
  await pressButton(page, 'Link')
  await page.getByRole('button', { name: 'Ann Lovelace' }).click()
  await page.getByRole('status').getByText('Account linked.').waitFor()
  await pressButton(page, 'Unlink')
  await page.getByText('Account unlinked.').waitFor()
  expect(complaints).toEqual([])
  await upstream.close()
})

const looks = [
  { name: 'arabic', options: { ...narrowOptions, locale: 'ar' }, sections: 0 },
  { name: 'desktop', options: desktopOptions, sections: 7 },
  { name: 'phone', options: narrowOptions, sections: 0 },
]
it.each(pictureSweep.isExhaustive ? looks : looks.slice(0, 1))(
  'every page is accessible and fits the screen: $name',
  async ({ name, options, sections }) => {
    const { page, context, complaints } = await openPage(options)
    await watchContext(context)
    await page.addInitScript(withoutAutofill)
    await Authenticator.plugInto(page)
    const username = await newPerson()
    const open = (path: string) => page.goto(`${tenant.origin}/account/${path}`)
    const look = async (path: string) => {
      await page.locator('.account-main').waitFor()
      const countOf = (selector: string) => page.locator(selector).filter({ visible: true }).count()
      expect(await countOf('.account-navigation a')).toBe(sections)
      expect(await countOf('.account-back')).toBe(1)
      await expectWhole(page)
      await savePicture(page, `account-${path.replace('/', '-')}-${name}`)
    }
    await open('passkeys/new')
    await page.locator('main [name=identifier]').fill(username)
    await page.locator('main [name=password]').fill(PASSWORD)
    await page.locator('main button[name=submit]').click()
    await page.waitForURL('**/account/passkeys/new')
    const paths = ['factors/app', 'passkeys/new', 'factors', 'browsers', 'factors/key', 'identities']
    for (const path of someOf(paths, 3)) {
      await open(path)
      await expectStill(page)
      await look(path)
    }
    await open('passkeys/new')
    await page.locator('main button[name=intent]').click()
    await page.waitForURL('**/account/passkeys')
    await expectStill(page)
    await page.locator('main summary').click()
    await look('passkeys')
    expect(complaints).toEqual([])
  },
)
