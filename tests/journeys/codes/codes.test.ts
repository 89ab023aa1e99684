import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freshEmail, wrongCode } from '../../kit/clients/interaction-client.ts'
import { browserSweep, inExhaustiveRun, mobileOptions, openPage, savePicture, someOf } from '../browser.ts'
import { untilHydrated } from '../inspection.ts'
import { pressButton, typeCode } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/** Tests codes in a browser: the six boxes, the timer, and every dialog that can follow a code. */

const both = { password: true, verificationCode: true, isPasswordPrimary: false }

const { codeTo, createUser, openApplication } = await openTenant({
  signIn: {
    methods: [
      { identifier: 'email', ...both },
      { identifier: 'phone', ...both },
    ],
  },
  signUp: { identifiers: ['email', 'phone'], password: false, verify: true },
})
const application = await openApplication()

const box = (page: Page, number: number) => page.getByLabel(`Digit ${number} of 6`)
const digits = (page: Page) =>
  page
    .locator('.code-box')
    .evaluateAll((boxes) => boxes.map((each) => (each as HTMLInputElement).value).join(''))
const arrival = () => `${application.callback}**`
const confirmed = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text }).waitFor()
const reported = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()

async function toCode(page: Page, email: string, parameters: Record<string, string> = {}): Promise<string> {
  await page.goto((await application.authorizationUrl(parameters)).url)
  await page.locator('[name=identifier]').fill(email)
  await page.locator('button[name=submit]').click()
  await page.waitForURL('**/verification-code?**')
  await untilHydrated(page)
  return codeTo(email)
}

const toRegistration = { interaction_mode: 'signUp' }

async function registeredEmail(): Promise<string> {
  const email = freshEmail()
  await createUser({ primaryEmail: email })
  return email
}

describe('the six boxes for a code', () => {
  it('accept the code digit by digit and submit it once it is complete', async () => {
    const { page, complaints } = await openPage()
    const code = await toCode(page, freshEmail(), toRegistration)
    let proofs = 0
    await page.route('**/api/interaction/identifiers', (route) => {
      proofs++
      return route.continue()
    })
    expect(await box(page, 1).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type(code)
    await page.waitForURL(arrival())
    expect([proofs, complaints]).toEqual([1, []])
  })

  it.each(browserSweep.isExhaustive ? [1, 4] : [4])(
    'accept a code that is pasted into box %i',
    async (number) => {
      const { page, context } = await openPage()
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const code = await toCode(page, freshEmail(), toRegistration)
      await page.evaluate(
        (text) => navigator.clipboard.writeText(text),
        `Your code: ${code.slice(0, 3)} ${code.slice(3)}`,
      )
      await box(page, number).focus()
      await page.keyboard.press('Control+v')
      await page.waitForURL(arrival())
    },
  )

  it('accept a code that the browser fills in', async () => {
    const { page } = await openPage(mobileOptions)
    const code = await toCode(page, freshEmail(), toRegistration)
    const hasFocus = () => box(page, 1).evaluate((element) => element === document.activeElement)
    expect(await hasFocus()).toBe(true)
    await page.reload()
    await expect.poll(hasFocus).toBe(true)
    // The box has the focus before the script has loaded. A code that is filled in by then triggers nothing.
    await untilHydrated(page)
    expect(await box(page, 1).getAttribute('autocomplete')).toBe('one-time-code')
    // A Persian keyboard has digits of its own.
    await box(page, 1).fill(code.replaceAll(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? ''))
    await page.waitForURL(arrival())
  })

  it('accept a code that the browser reads from a text message', async () => {
    const { page } = await openPage(mobileOptions)
    const phone = `491512${String(Date.now()).slice(-7)}`
    await page.exposeFunction('receive', () => codeTo(phone))
    await page.addInitScript(`
      window.OTPCredential ??= class {}
      navigator.credentials.get = async ({ otp }) => otp && { code: await receive() }
    `)
    await page.goto((await application.authorizationUrl(toRegistration)).url)
    await page.locator('[name=identifier]').fill(`+${phone}`)
    await page.locator('button[name=submit]').click()
    await page.waitForURL(arrival())
  })

  it('can be used with the keyboard, accept only digits, and reject an incomplete code', async () => {
    const { page } = await openPage()
    await toCode(page, freshEmail())
    const at = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
    await page.keyboard.type('1+2-e.x3')
    expect([await digits(page), await at()]).toEqual(['123', 'passcode_3'])
    await page.keyboard.press('Backspace')
    expect([await digits(page), await at()]).toEqual(['12', 'passcode_2'])
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowUp')
    expect([await digits(page), await at()]).toEqual(['12', 'passcode_0'])
    await page.keyboard.press('Backspace')
    expect([await digits(page), await at()]).toEqual(['2', 'passcode_0'])
    await page.keyboard.type('7')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('8')
    expect([await digits(page), await at()]).toEqual(['78', 'passcode_2'])
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await reported(page, 'The verification code is invalid')
    expect(await box(page, 4).evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('are cleared after a wrong code, so that another can be typed at once', async () => {
    const email = await registeredEmail()
    const { page } = await openPage()
    const code = await toCode(page, email)
    const before = await page.locator('.code-boxes').boundingBox()
    await page.keyboard.type(wrongCode(code))
    await reported(page, 'That code isn’t right. Use the code from our latest message.')
    expect(await digits(page)).toBe('')
    // Nothing has moved once the boxes no longer shake.
    await expect.poll(() => page.locator('.code-boxes').boundingBox()).toEqual(before)
    await savePicture(page, 'code-wrong')
    await page.keyboard.type(code)
    await page.waitForURL(arrival())
  })

  it('show that the code was accepted while the next page is loading', async () => {
    const { page } = await openPage()
    const code = await toCode(page, freshEmail(), toRegistration)
    let wasShown = false
    await page.exposeFunction('noteAccepted', () => {
      wasShown = true
    })
    await page.evaluate(`new MutationObserver(() => {
      if (document.querySelector('fieldset.code-accepted')) noteAccepted()
    }).observe(document.body, { subtree: true, attributeFilter: ['class'] })`)
    // Here, an application's page may replace ours before ours is drawn again.
    await page.route(arrival(), async (route) => {
      await expect.poll(() => wasShown).toBe(true)
      await route.continue()
    })
    await page.keyboard.type(code)
    await page.waitForURL(arrival())
    expect(wasShown).toBe(true)
  })
})

describe('switching between password and code', () => {
  const ways = [
    { back: 'Back of the browser', goBack: (page: Page) => page.goBack(), path: '**/sign-in/password?**' },
    {
      back: 'Back of the page',
      goBack: (page: Page) => page.getByRole('link', { name: 'Back', exact: true }).click(),
      path: '**/sign-in?**',
    },
    {
      back: 'Edit beside the address',
      goBack: (page: Page) => page.getByRole('link', { name: 'Edit' }).click(),
      path: '**/sign-in?**',
    },
  ]
  it.each(someOf(ways, 2))(
    'is a new history entry, which only the links of the page skip: $back',
    async ({ goBack, path }) => {
      const email = await registeredEmail()
      const { page, complaints } = await openPage()
      await toCode(page, email)
      await page.getByRole('link', { name: 'Use password instead' }).click()
      await page.waitForURL('**/sign-in/password?**')
      await pressButton(page, 'Email me a code instead')
      await page.waitForURL('**/sign-in/verification-code?**')
      await goBack(page)
      await page.waitForURL(path)
      expect(
        await page
          .locator('[name=identifier], .chip-name')
          .first()
          .evaluate((field) => (field instanceof HTMLInputElement ? field.value : field.textContent)),
      ).toBe(email)
      expect(complaints).toEqual([])
    },
  )
})

describe('a request for another code', () => {
  it('is possible after 59 seconds, even if the page is reloaded', async () => {
    const email = freshEmail()
    const { page, complaints } = await openPage()
    await page.clock.install()
    const first = await toCode(page, email, toRegistration)
    const codePage = page.url()
    await page.getByText('Resend code in 0:59').waitFor()
    await page.clock.runFor(20_000)
    await page.getByText('Resend code in 0:39').waitFor()
    await savePicture(page, 'code-desktop')
    await page.reload()
    await page.getByText(/Resend code in 0:3\d/).waitFor()
    // Creates a new history entry, as choosing another language or restoring the tab would.
    await page.goto('about:blank')
    await page.goto(codePage)
    await page.getByText(/Resend code in 0:3\d/).waitFor()
    // Lets time pass without running timers, as in a suspended tab.
    await page.clock.fastForward(40_000)
    await page
      .getByRole('status')
      .filter({ hasText: 'You can request a new code now.' })
      .waitFor({ state: 'attached' })
    await box(page, 1).focus()
    await page.keyboard.type('12')
    await pressButton(page, 'Resend code')
    await confirmed(page, 'New code sent.')
    await page.getByText('Resend code in 0:59').waitFor()
    expect(await digits(page)).toBe('')
    expect(await box(page, 1).evaluate((element) => element === document.activeElement)).toBe(true)
    const second = await codeTo(email)
    expect(first).not.toBe('')
    await page.keyboard.type(second)
    await page.waitForURL(arrival())
    expect(complaints).toEqual([])
  })
})

describe('the dialog after a code', () => {
  it('offers to create an account for an unknown address, and returns to the filled-in form when cancelled', async () => {
    const email = freshEmail()
    const { page, complaints } = await openPage()
    await page.keyboard.type(await toCode(page, email))
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`The account with email ${email} does not exist.`).waitFor()
    await savePicture(page, 'code-unknown')
    await dialog.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL('**/sign-in?**')
    expect(await page.locator('[name=identifier]').inputValue()).toBe(email)

    await page.locator('button[name=submit]').click()
    await page.waitForURL('**/verification-code?**')
    await typeCode(page, await codeTo(email))
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(arrival())
    expect(complaints).toEqual([])
  })

  // tests/client/code-journeys.test.ts covers both questions.
  inExhaustiveRun('offers to sign in if an account has the address', async () => {
    const email = await registeredEmail()
    const { page } = await openPage()
    await page.keyboard.type(await toCode(page, email, toRegistration))
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(arrival())
  })
})

it('a user resets the password, and a page confirms the change', async () => {
  const email = await registeredEmail()
  const { page, complaints } = await openPage()
  await toCode(page, email)
  await page.getByRole('link', { name: 'Use password instead' }).click()
  await page.waitForURL('**/sign-in/password?**')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.waitForURL('**/forgot-password?**')
  expect(await page.locator('[name=identifier]').inputValue()).toBe(email)
  await savePicture(page, 'forgot-password')
  await pressButton(page, 'Continue')
  await page.waitForURL('**/forgot-password/verification-code?**')
  await typeCode(page, await codeTo(email))
  await page.waitForURL('**/forgot-password/reset?**')
  await savePicture(page, 'forgot-password-reset')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await pressButton(page, 'Save password')
  await page.waitForURL('**/sign-in?**')
  await confirmed(page, 'Password changed')
  await page.goBack()
  await page.waitForURL('**/forgot-password?**')
  expect(complaints).toEqual([])
})

it('a form sends a code that was typed before the script loaded', async () => {
  const email = freshEmail()
  const { page } = await openPage()
  await toCode(page, email, toRegistration)
  await page.route('**/assets/*.js', () => {})
  await page.reload({ waitUntil: 'commit' })
  const code = await codeTo(email)
  for (const [index, digit] of [...code].entries()) await box(page, index + 1).fill(digit)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL(arrival())
})
