import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { fromBase32, totpStep } from '../../../src/domain/factors/totp.ts'
import { computeTotpCode } from '../../../src/storage/factors/totp.ts'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  hasScript,
  inExhaustiveRun,
  mobileOptions,
  openPage,
  scripted,
  scriptless,
  someOf,
  waysOf,
  withoutScript,
} from '../browser.ts'
import { forgetUsedCodes, signedInAbroad } from '../database.ts'
import { expectSound } from '../inspection.ts'
import { Authenticator, createPasskey, withPasskeys } from '../passkeys/virtual-authenticator.ts'
import { unwatchedSession } from '../reused-browsers.ts'
import { followLink, interactionOf, pressButton, signInAgain, signInOnPage, typeCode } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/** Tests second factors on the sign-in pages (spec/pages#second-factor). */

const { origin, call, openApplication, registeredName } = await openTenant()
await call('PATCH', '/configs/settings', { secondFactor: { policy: 'required' } })
const one = await openApplication('Application One')
const prompting = await openTenant()
await prompting.call('PATCH', '/configs/settings', { secondFactor: { policy: 'prompt', putOffs: 1 } })
const other = await prompting.openApplication('Application Two')

const manyWays = await withPasskeys()
await manyWays.call('PATCH', '/configs/settings', {
  secondFactor: { policy: 'optional', factors: ['passkey', 'phone', 'email'] },
})
const third = await manyWays.openApplication('Application Three')

const adaptive = await openTenant()
await adaptive.call('PATCH', '/configs/settings', { secondFactor: { policy: 'adaptive' } })
const fourth = await adaptive.openApplication('Application Four')

const codeOf = (secret: string) =>
  computeTotpCode(fromBase32(secret) ?? new Uint8Array(), totpStep(Date.now()))

/**
 * Saves the codes in every way, after which the button can be pressed. Without JavaScript, they can be downloaded, and
 * the browser asks for a tick.
 */
async function saveCodes(page: Page, codes: string[]) {
  const copy = page.getByRole('button', { name: 'Copy', exact: true })
  const button = page.getByRole('button', { name: 'I’ve saved my codes' })
  const file = await page.getByRole('link', { name: 'Download' }).getAttribute('href')
  expect(decodeURIComponent(file ?? '')).toContain(codes.join('\n'))
  if (!(await page.locator('html').evaluate(() => matchMedia('(scripting: enabled)').matches))) {
    expect(await copy.count()).toBe(0)
    await button.click()
    expect(new URL(page.url()).pathname).toBe('/second-factor/backup-codes')
    await page.getByLabel('I’ve written them down').check()
    return
  }
  await expect.poll(() => button.isDisabled()).toBe(true)
  await copy.click()
  await page.getByRole('status').getByText('We couldn’t copy the codes.').waitFor()
  expect(await button.isDisabled()).toBe(true)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await copy.click()
  await page.getByRole('status').getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
  expect(await button.isDisabled()).toBe(false)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('backup-codes.txt')
  await page.emulateMedia({ media: 'print' })
  expect(await copy.isVisible()).toBe(false)
  expect(await page.locator('.backup-codes').isVisible()).toBe(true)
  await page.emulateMedia({ media: null })
}

// tests/web/pages/second-factor-forms.test.ts covers both flows over HTTP, without JavaScript.
describe.each(waysOf(scripted))('$script', ({ options }) => {
  it('a user sets up an authenticator app and signs in with its codes and with a backup code', async () => {
    const name = await registeredName()
    const { page, complaints } = await openPage(options)
    const begin = async () => {
      await page.context().clearCookies()
      await page.goto((await one.authorizationUrl()).url)
      await signInOnPage(page, name)
    }

    await begin()
    await page.waitForURL('**/second-factor/set-up?**')
    await pressButton(page, 'Set up an authenticator app')
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const secret = ((await page.locator('.factor-text').textContent()) ?? '').replaceAll(' ', '')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    await typeCode(page, '000000')
    await page.getByText('That code isn’t right or has already been used.').waitFor()
    await typeCode(page, await codeOf(secret))
    await page.waitForURL('**/second-factor/backup-codes?**')
    const codes = await page.locator('.backup-codes li').allTextContents()
    expect(codes).toHaveLength(10)
    await saveCodes(page, codes)
    await pressButton(page, 'I’ve saved my codes')
    await page.waitForURL(`${one.callback}**`)
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()

    forgetUsedCodes(name)
    await begin()
    await page.waitForURL('**/second-factor?**')
    const used = await codeOf(secret)
    await typeCode(page, used)
    await page.waitForURL(`${one.callback}**`)

    await begin()
    await page.waitForURL('**/second-factor?**')
    // The code that was used for the previous sign-in is no longer valid.
    await typeCode(page, used)
    await page.getByText('That code isn’t right or has already been used.').waitFor()
    await followLink(page, 'Try another way')
    await followLink(page, 'Backup code Enter one of the backup codes you saved. Each works once.')
    await page.waitForURL('**/second-factor/backup-code?**')
    await page.getByLabel('Backup code').fill('0000-0000-0000-0000')
    const box = page.getByRole('checkbox', { name: 'Don’t ask again in this browser (30 days)' })
    expect(await box.isChecked()).toBe(false)
    await box.check()
    await pressButton(page, 'Continue')
    await page.getByText('That code isn’t right or has already been used.').waitFor()
    await page.getByLabel('Backup code').fill(codes[0]?.toLowerCase() ?? '')
    expect(await box.isChecked()).toBe(true)
    await pressButton(page, 'Continue')
    await page.waitForURL(`${one.callback}**`)
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()

    // The session is over, but the second factor is still remembered in this browser.
    await page.context().clearCookies({ name: /_session/ })
    await page.goto((await one.authorizationUrl()).url)
    await signInAgain(page)
    await page.waitForURL(`${one.callback}**`)
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
    expect(complaints.filter((complaint) => !/422/.test(complaint))).toEqual([])
  })
})

describe.each([scripted, scriptless])('$script', ({ options }) => {
  // tests/web/pages/second-factor-forms.test.ts covers the form, tests/client/journeys.test.ts the scripted button, and
  // tests/application/factors/second-factor-policies.test.ts how often a user may postpone.
  inExhaustiveRun('a user postpones an authenticator app as often as the tenant allows', async () => {
    const name = await prompting.registeredName()
    const { page, complaints } = await openPage(options)
    const begin = async () => {
      await page.context().clearCookies()
      await page.goto((await other.authorizationUrl()).url)
      await signInOnPage(page, name)
      await page.waitForURL('**/second-factor/set-up?**')
    }
    await begin()
    // A user can also postpone the setup after beginning it.
    await pressButton(page, 'Set up an authenticator app')
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await page.getByText('You can skip this 1 more time.').waitFor()
    await pressButton(page, 'Not now')
    await page.waitForURL(`${other.callback}**`)
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()

    await begin()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
    expect(await page.getByRole('button', { name: 'Not now' }).count()).toBe(0)
    expect(complaints.filter((complaint) => !/422/.test(complaint))).toEqual([])
  })
})

it('a user signs in with a code by e-mail, a security key and, without JavaScript, a code by SMS', async () => {
  const name = await manyWays.registeredName()
  const [user] = await manyWays.call<{ id: string }[]>('GET', `/users?search.username=${name}`)
  const [primaryEmail, primaryPhone] = [`${name}@example.com`, '16502530000']
  await manyWays.call('PATCH', `/users/${user?.id}`, { primaryEmail, primaryPhone })
  const expectBack = async (page: Page) => {
    await page.waitForURL(`${third.callback}**`)
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
  }

  const { page, complaints } = await openPage()
  await Authenticator.plugInto(page, { isSynced: false, transport: 'usb' })
  await page.goto(`${manyWays.origin}/demo-app`)
  await pressButton(page, 'Sign in')
  await signInOnPage(page, name)
  // The code to the preferred factor was sent with the password. Choosing another way sends one there.
  await page.getByText('We texted a 6-digit code to ****0000.').waitFor()
  expect(await manyWays.codeTo(primaryPhone)).toMatch(/^\d{6}$/)
  await followLink(page, 'Try another way')
  const masked = `${name.slice(0, 4)}****@example.com`
  await pressButton(page, `Email Email a code to ${masked}`)
  await page.getByText(`We emailed a 6-digit code to ${masked}.`).waitFor()
  expect(await page.getByText('has been sent again').count()).toBe(0)
  expect(await page.locator('.resend-time').textContent()).toMatch(/0:5\d/)
  expect(await page.getByRole('button', { name: 'Resend code' }).count()).toBe(0)
  await expectSound(page)
  await typeCode(page, await manyWays.codeTo(primaryEmail))
  await page.waitForURL('**/demo-app**')
  await page.getByText(name).first().waitFor()
  expect(await createPasskey(page)).toMatchObject({ status: 200 })

  await page.context().clearCookies()
  await page.goto((await third.authorizationUrl()).url)
  await signInOnPage(page, name)
  await followLink(page, 'Try another way')
  await page.waitForURL('**/second-factor/choose?**')
  await expectSound(page)
  await followLink(page, 'Passkey or security key Use your fingerprint, face, screen lock or security key.')
  await pressButton(page, 'Use a passkey or security key')
  await expectBack(page)
  expect(complaints).toEqual([])

  const { page: plain } = await openPage(withoutScript)
  await plain.goto((await third.authorizationUrl()).url)
  await signInOnPage(plain, name)
  await plain.getByText('This way needs JavaScript').waitFor()
  expect(await plain.getByRole('button', { name: 'Use a passkey or security key' }).count()).toBe(0)
  await followLink(plain, 'Try another way')
  await pressButton(plain, 'Text message Text a code to ****0000')
  await typeCode(plain, await manyWays.codeTo(primaryPhone))
  await expectBack(plain)
})

it.each(waysOf(scriptless))(
  'a user who signs in from a new place must verify an address of the account, $script',
  async ({ options }) => {
    const name = await adaptive.registeredName()
    signedInAbroad(name)
    const { page, complaints } = await openPage(options)
    await page.goto((await fourth.authorizationUrl()).url)
    await signInOnPage(page, name)
    await page.getByText('We can’t confirm that it’s you.').waitFor()

    const [user] = await adaptive.call<{ id: string }[]>('GET', `/users?search.username=${name}`)
    const primaryEmail = `${name}@example.com`
    await adaptive.call('PATCH', `/users/${user?.id}`, { primaryEmail })
    const signIn = async () => {
      await page.context().clearCookies()
      await page.goto((await fourth.authorizationUrl()).url)
      await signInOnPage(page, name)
    }
    await signIn()
    await page.getByText('We emailed a 6-digit code to').waitFor()
    // The page does not offer to remember the browser, because the next unusual sign-in would require a code
    // anyway.
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await typeCode(page, await adaptive.codeTo(primaryEmail))
    await page.waitForURL(`${fourth.callback}**`)
    // The place is now known, even though the browser is not.
    await signIn()
    await page.waitForURL(`${fourth.callback}**`)
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
    expect(complaints.filter((complaint) => !/422/.test(complaint))).toEqual([])
  },
)

// tests/web/pages/second-factor-forms.test.ts covers these steps over HTTP, without JavaScript.
const withHelp = { ...scripted, supportContact: 'help@northwind.example' }
const withoutHelp = { ...scriptless, supportContact: null }
it.each(someOf([withHelp, withoutHelp], 1))(
  'a user who lost the phone signs in after a reset, $script',
  async ({ options, supportContact }) => {
    const tenant = await openTenant({ branding: { name: 'Northwind Bank' }, supportContact })
    await tenant.call('PATCH', '/configs/settings', { secondFactor: { policy: 'required' } })
    const application = await tenant.openApplication()
    const [username, primaryEmail] = [freshName(), `${freshName()}@example.com`]
    const user = {
      username,
      primaryEmail,
      password: PASSWORD,
      totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    }
    const { results } = await tenant.call<{ results: { id: string }[] }>('POST', '/users/import', {
      users: [user],
    })
    const { page, complaints } = await openPage(options)
    const begin = async () => {
      await page.goto((await application.authorizationUrl()).url)
      await signInOnPage(page, username)
    }
    const setUp = async () => {
      await page.waitForURL('**/second-factor/set-up?**')
      await pressButton(page, 'Set up an authenticator app')
      await page.locator('.factor-text').waitFor()
      const secret = ((await page.locator('.factor-text').textContent()) ?? '').replaceAll(' ', '')
      await typeCode(page, await codeOf(secret))
      await page.getByLabel('I’ve written them down').check()
      await pressButton(page, 'I’ve saved my codes')
      await page.waitForURL(`${application.callback}**`)
    }
    await begin()
    await page.waitForURL('**/second-factor?**')
    const interaction = interactionOf(page)
    await followLink(page, 'Try another way')
    await followLink(page, 'I can’t use any of these')
    await page.getByRole('heading', { name: 'Get back into your account' }).waitFor()
    await page.getByRole('heading', { name: 'Ask the people who run Northwind Bank' }).waitFor()
    await page.getByText('They make sure that it’s really you.').waitFor()
    expect(await page.locator('.recovery dd').allTextContents()).toEqual([
      username,
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
      interaction,
    ])
    const contact = page.locator('main').getByRole('link', { name: 'Contact support' })
    const urls = await contact.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(urls).toEqual(
      supportContact ? [expect.stringMatching(/^mailto:help@northwind\.example\?body=/)] : [],
    )
    if (hasScript(page)) await expectSound(page)

    const notices = async () => {
      const inbox = await fetch(`${tenant.origin}/dev/inbox.json?to=${encodeURIComponent(primaryEmail)}`)
      return ((await inbox.json()) as { type: string }[]).filter(({ type }) => type === 'FactorsChanged')
        .length
    }
    const before = await notices()
    await tenant.call('DELETE', `/users/${results[0]?.id}/factors`)
    await expect.poll(notices).toBe(before + 1)
    await begin()
    await setUp()
    expect(complaints.filter((each) => !/422/.test(each))).toEqual([])
  },
)

it('on a phone, a plain link opens the authenticator app, and the browser history contains no secrets', async () => {
  const { page, complaints } = await openPage(mobileOptions)
  await page.goto((await one.authorizationUrl()).url)
  await signInOnPage(page, await registeredName())
  await page.waitForURL('**/second-factor/set-up?**')
  await pressButton(page, 'Set up an authenticator app')
  const text = page.locator('.factor-text')
  await text.waitFor()
  const secret = ((await text.textContent()) ?? '').replaceAll(' ', '')
  expect(JSON.stringify(await page.evaluate(() => history.state))).not.toContain(secret)
  const url = page.url()
  const session = await unwatchedSession(page)
  await session.send('Page.enable')
  const opened = new Promise<string>((resolve) => {
    session.on('Page.frameRequestedNavigation', (event) => resolve(event.url))
  })
  await followLink(page, 'Open authenticator app')
  expect(await opened).toMatch(new RegExp(`^otpauth://totp/.*secret=${secret}`))
  expect([page.url(), complaints]).toEqual([url, []])
  await typeCode(page, await codeOf(secret))
  await page.waitForURL('**/second-factor/backup-codes?**')
  const [code = ''] = await page.locator('.backup-codes li').allTextContents()
  expect(code).not.toBe('')
  expect(JSON.stringify(await page.evaluate(() => history.state))).not.toContain(code)
  expect(page.url().startsWith(origin)).toBe(true)
})
