import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { desktopOptions, openPage, someOf } from '../browser.ts'
import { chooseName, choosePassword, passwordField, usernameField } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/** Tests the hints of password fields while the user types (spec/pages#password-fields). */

const { registeredName, openApplication } = await openTenant()
const application = await openApplication()

async function visit(parameters: Record<string, string> = {}, options: object = desktopOptions) {
  const client = await openPage({ ...desktopOptions, ...options })
  await client.page.goto((await application.authorizationUrl(parameters)).url)
  return client
}

const toRegistration = { interaction_mode: 'signUp' }
const capsLock = (page: Page) => page.locator('.caps-lock').first()
/** Dispatches a key event as a keyboard would. */
const pressWith = (page: Page, isOn: boolean) =>
  passwordField(page).evaluate((field, modifierCapsLock) => {
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, modifierCapsLock }))
  }, isOn)
/** Returns where everything begins. A field becomes narrower at its end while it has a button that clears it. */
const places = (page: Page) =>
  page.locator('main :is(h1, label, input, button:not(.field-clear), li, a)').evaluateAll((all) =>
    all.map((each) => {
      const { left, top, height } = each.getBoundingClientRect()
      return `${left} ${top} ${height}`
    }),
  )

describe('Caps Lock', () => {
  it('is indicated next to the password field while it is on, without moving the layout', async () => {
    const { page } = await visit()
    await usernameField(page).fill(await registeredName())
    await passwordField(page).focus()
    // The script registers its listeners only when the browser is idle.
    await expect
      .poll(async () => {
        await pressWith(page, true)
        return capsLock(page).textContent()
      })
      .toBe('Caps Lock is on')
    await pressWith(page, false)
    expect(await capsLock(page).isVisible()).toBe(false)
    const before = await places(page)
    await pressWith(page, true)
    expect(await capsLock(page).isVisible()).toBe(true)
    expect(await capsLock(page).getAttribute('role')).toBe('status')
    expect(await places(page)).toEqual(before)

    await usernameField(page).focus()
    expect(await capsLock(page).textContent()).toBe('')
  })

  it('is not indicated next to other fields', async () => {
    const { page } = await visit()
    await passwordField(page).focus()
    await expect
      .poll(async () => {
        await pressWith(page, true)
        return capsLock(page).textContent()
      })
      .not.toBe('')
    await passwordField(page).blur()
    await usernameField(page).evaluate((field) =>
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock: true })),
    )
    expect(await page.locator('.caps-lock').allTextContents()).toEqual([''])
  })
})

describe('the rules for a new password in a new tenant', () => {
  const rules = (page: Page) => page.locator('.password-rule')
  const kept = (page: Page) => page.locator('.password-rule[data-kept] > :first-child').allTextContents()
  const [length, classes, characters] = [
    'At least 8 characters',
    'Two of: letters, numbers, symbols',
    'No accented letters, no spaces',
  ]

  it('are ticked off as the user types, also for screen readers, without moving the layout', async () => {
    const { page } = await visit(toRegistration)
    await chooseName(page, freshName())
    const field = passwordField(page)
    await expect.poll(() => rules(page).allTextContents()).toContain(`${length}${length}: not met yet`)
    expect(await kept(page)).toEqual([])
    const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
    expect(await page.locator(`#${described[0]} .password-rule`).count()).toBe(3)
    await field.focus()
    const before = await places(page)

    await field.pressSequentially('abc')
    expect(await kept(page)).toEqual([characters])
    await field.pressSequentially('1')
    expect(await kept(page)).toEqual([classes, characters])
    await field.pressSequentially('2345')
    expect(await kept(page)).toEqual([length, classes, characters])
    expect(await page.locator('form > [role=status]').allTextContents()).toContain(`${length}: met`)
    await field.pressSequentially(' ')
    expect(await kept(page)).toEqual([length, classes])
    expect(await places(page)).toEqual(before)
    await field.fill('')
    expect(await kept(page)).toEqual([])

    await choosePassword(page)
    await page.waitForURL(`${application.callback}?**`)
  })

  it('are a plain list without JavaScript', async () => {
    const { page } = await visit(toRegistration, { javaScriptEnabled: false })
    await chooseName(page, freshName())
    expect(await rules(page).allTextContents()).toEqual([length, classes, characters])
    expect(await kept(page)).toEqual([])
    await choosePassword(page)
    await page.waitForURL(`${application.callback}?**`)
  })

  // The specification: "Password messages: minimum {min} characters; minimum {min} characters with a mix of letters,
  // numbers and symbols".
  // tests/client/journeys.test.ts and tests/web/pages/code-forms.test.ts cover the messages without JavaScript.
  const ways = someOf([{ javaScriptEnabled: true }, { javaScriptEnabled: false }], 1)
  it.each(ways)(
    'stay, and the specified message is visible once, if a password breaks them (JavaScript enabled: $javaScriptEnabled)',
    async (options) => {
      const { page } = await visit(toRegistration, options)
      await chooseName(page, freshName())
      const mixed = 'Password requires a minimum of 8 characters with a mix of letters, numbers and symbols'
      const hint = 'Use letters without accents, numbers and symbols, but no spaces.'
      for (const [password, message] of [
        ['short-7', 'Password requires a minimum of 8 characters'],
        ['vkqzwtjx', mixed],
        ['pässwörd1', `${mixed}. ${hint}`],
        ['correct horse 7', `${mixed}. ${hint}`],
      ] as const) {
        await choosePassword(page, password)
        const isScripted = options.javaScriptEnabled
        const problem = page.locator(isScripted ? '.password-rule[data-broken]' : '#newPassword-problem')
        await problem.getByText(message, { exact: true }).first().waitFor()
        if (isScripted) {
          const sentence = page.locator('#newPassword-problem')
          expect(await sentence.textContent()).toBe(message)
          const clip = await sentence.evaluate((element) => getComputedStyle(element).clipPath)
          expect(clip, 'only for screen readers').toBe('inset(50%)')
        }
        expect(await passwordField(page).getAttribute('aria-invalid')).toBe('true')
        expect(await rules(page).count()).toBe(3)
      }
      await choosePassword(page)
      await page.waitForURL(`${application.callback}?**`)
    },
  )

  it.each(ways)(
    'consist only of a minimum length if the tenant requires nothing else (JavaScript enabled: $javaScriptEnabled)',
    async (options) => {
      const tenant = await openTenant()
      await tenant.call('PATCH', '/configs/settings', {
        passwordPolicy: { rules: 'Length', haveIBeenPwned: true },
      })
      const newest = await tenant.openApplication()
      const { page } = await openPage({ ...desktopOptions, ...options })
      await page.goto((await newest.authorizationUrl(toRegistration)).url)
      await chooseName(page, freshName())
      await rules(page).first().waitFor()
      const [only, ...others] = await rules(page).allTextContents()
      expect([only?.startsWith(length), others]).toEqual([true, []])
      await choosePassword(page, 'größte Pferde im Stall')
      await page.waitForURL(`${newest.callback}?**`)
    },
  )
})
