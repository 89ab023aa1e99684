import { expect, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { freshEmail, wrongCode } from '../kit/clients/interaction-client.ts'
import { codeOf } from '../kit/second-factor.ts'
import { desktopOptions, openPage } from './browser.ts'
import { ageSignIn } from './database.ts'
import { untilHydrated } from './inspection.ts'
import { arriveAt, focused, pressOn, tabTo, typeSignIn, untilCodeRejected } from './keyboard.ts'
import { openTenant } from './tenant.ts'

/** Tests journeys with only Tab, Enter, Space and the keys that write text. Tests of other chapters have more. */

const { codeTo, openApplication } = await openTenant({
  signIn: {
    methods: [{ identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: false }],
  },
  signUp: { identifiers: ['email'], password: true, verify: true },
  termsOfUseUrl: 'https://example.com/terms',
})
const application = await openApplication()

const strict = await openTenant()
await strict.call('PATCH', '/configs/settings', {
  secondFactor: { policy: 'required', factors: ['totp', 'email'] },
})
const shop = await strict.openApplication('Shop')

const plain = await openTenant()
await plain.call('PATCH', '/configs/settings', { secondFactor: { policy: 'optional' } })

it('a user registers with an address, a code and a password, using only the keyboard', async () => {
  const { page, complaints } = await openPage(desktopOptions)
  const email = freshEmail()
  await page.goto((await application.authorizationUrl()).url)
  await untilHydrated(page)
  await pressOn(page, 'Create account')
  await arriveAt(page, '/register', 'Email')
  await tabTo(page, 'Email')
  await page.keyboard.type(email)
  await pressOn(page, 'I have read', 'Space')
  expect(await page.getByRole('checkbox').isChecked()).toBe(true)
  await pressOn(page, /^Continue/)

  await arriveAt(page, '/register/verification-code', 'Digit 1 of 6')
  expect(await focused(page)).toBe('Digit 1 of 6')
  const code = await codeTo(email)
  await page.keyboard.type(wrongCode(code))
  await untilCodeRejected(page)
  await page.keyboard.type(code)

  await arriveAt(page, '/continue/password', 'Password')
  await tabTo(page, 'Password')
  await page.keyboard.type(PASSWORD)
  await pressOn(page, 'Show password', 'Space')
  expect(await page.locator('[name=newPassword]').getAttribute('type')).toBe('text')
  await pressOn(page, 'Continue', 'Space')
  await page.waitForURL(`${application.callback}**`)
  expect(complaints).toEqual([])
})

it('a user sets up an authenticator app, and later proves another factor, using only the keyboard', async () => {
  const { page, context, complaints } = await openPage(desktopOptions)
  const name = await strict.registeredName()
  const begin = async () => {
    await page.goto((await shop.authorizationUrl()).url)
    await typeSignIn(page, name)
  }
  await begin()
  await arriveAt(page, '/second-factor/set-up', 'Set up an authenticator app')
  await pressOn(page, 'Set up an authenticator app', 'Space')
  await arriveAt(page, '/second-factor/set-up', 'Digit 1 of 6')
  const secret = ((await page.locator('.factor-text').textContent()) ?? '').replaceAll(' ', '')
  await tabTo(page, /^Copy/)
  await tabTo(page, 'Digit 1 of 6')
  await page.keyboard.type('000000')
  await untilCodeRejected(page)
  await page.keyboard.type(await codeOf(secret))
  await arriveAt(page, '/second-factor/backup-codes', 'Download')
  for (const button of ['Download', 'Copy', 'Print']) await tabTo(page, button)
  await pressOn(page, 'I’ve written them down', 'Space')
  await pressOn(page, 'I’ve saved my codes')
  await page.waitForURL(`${shop.callback}**`)

  const [user] = await strict.call<{ id: string }[]>('GET', `/users?search.username=${name}`)
  const primaryEmail = freshEmail()
  await strict.call('PATCH', `/users/${user?.id}`, { primaryEmail })
  await context.clearCookies()
  await begin()
  await arriveAt(page, '/second-factor', 'Digit 1 of 6')
  expect(await focused(page)).toBe('Digit 1 of 6')
  await pressOn(page, 'Try another way')
  await arriveAt(page, '/second-factor/choose', 'I can’t use any of these')
  await pressOn(page, 'I can’t use any of these')
  await arriveAt(page, '/second-factor/recovery', 'What happens next')
  await pressOn(page, 'Try another way')
  await arriveAt(page, '/second-factor/choose', 'I can’t use any of these')
  await tabTo(page, /^Email/)
  await page.keyboard.press('Enter')
  await arriveAt(page, '/second-factor/email', 'Digit 1 of 6')
  expect(await focused(page)).toBe('Digit 1 of 6')
  // The last digit sends the form, so the checkbox comes before the boxes.
  await page.keyboard.press('Shift+Tab')
  await pressOn(page, 'Don’t ask again in this browser', 'Space')
  await page.keyboard.press('Tab')
  await page.keyboard.type(await strict.codeTo(primaryEmail))
  await page.waitForURL(`${shop.callback}**`)

  await context.clearCookies({ name: /_session/ })
  await page.goto((await shop.authorizationUrl()).url)
  await arriveAt(page, '/sign-in/account', 'Continue')
  await pressOn(page, 'Continue')
  await arriveAt(page, '/sign-in/password', 'Password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${shop.callback}**`)
  expect(complaints).toEqual([])
})

it('an invited person creates an account after a rejected password, using only the keyboard', async () => {
  const { page } = await openPage(desktopOptions)
  const { url } = await plain.call<{ url: string }>('POST', '/administrator-invitations', {})
  await page.goto(url)
  await tabTo(page, 'Username')
  await page.keyboard.type(freshName())
  for (const secret of ['short', PASSWORD]) {
    await tabTo(page, /^Password/)
    await page.keyboard.type(secret)
    await tabTo(page, 'Confirm password')
    await page.keyboard.type(secret)
    await page.keyboard.press('Enter')
    if (secret !== 'short') break
    await page.locator('.field-problem').filter({ hasText: /\w/ }).first().waitFor()
    expect(await focused(page)).toBe('Password')
  }
  await page.waitForURL('**/console**')
})

it('a user adds an app after a fresh proof, changes the address and undoes it, using only the keyboard', async () => {
  const { page, complaints } = await openPage(desktopOptions)
  const username = freshName()
  const [old, next] = [`${username}@old.example`, `${username}@new.example`]
  await plain.createUser({ username, password: PASSWORD, primaryEmail: old })
  await page.goto(`${plain.origin}/account/email`)
  await typeSignIn(page, username)
  await arriveAt(page, '/account/email', 'Email')
  await pressOn(page, 'Skip')
  await tabTo(page, /^Email/)
  await page.keyboard.type(next)
  await page.keyboard.press('Enter')
  await arriveAt(page, '/account/email/code', 'Digit 1 of 6')
  const code = await plain.codeTo(next)
  for (const typed of [wrongCode(code), code]) {
    expect(await focused(page)).toBe('Digit 1 of 6')
    await page.keyboard.type(typed)
    if (typed !== code) await untilCodeRejected(page)
  }
  await page.waitForURL(`${plain.origin}/account/email`)

  ageSignIn(username)
  await page.goto(`${plain.origin}/account/factors/app`)
  await page.waitForURL('**/sign-in?**')
  await typeSignIn(page)
  await arriveAt(page, '/account/factors/app', 'Digit 1 of 6')
  const secret = ((await page.locator('.factor-text').textContent()) ?? '').replaceAll(' ', '')
  await pressOn(page, 'Skip')
  await tabTo(page, 'Digit 1 of 6')
  await page.keyboard.type('000000')
  await untilCodeRejected(page)
  await page.keyboard.type(await codeOf(secret))
  await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor()
  await pressOn(page, 'Skip')
  for (const button of ['Download', 'Copy', 'Print']) await tabTo(page, button)
  await pressOn(page, 'I’ve saved my codes')
  await arriveAt(page, '/account/factors', 'You have 10 backup codes left.')

  const inbox = await fetch(`${plain.origin}/dev/inbox.json?to=${encodeURIComponent(old)}`)
  await page.goto(/https?:[^\s"\\]+\/account\/undo\?change=[\w-]+/.exec(await inbox.text())?.[0] ?? '')
  await pressOn(page, 'Undo the change')
  await page.waitForURL('**/sign-in?**')
  expect(complaints).toEqual([])
})
