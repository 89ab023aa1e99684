import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { NavigationState } from '../../src/contract/interaction.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, mobile, person, picture } from './browser.ts'
import { during } from './experience.ts'
import { expectSound, expectStill, overflow, settled, watch } from './inspection.ts'
import { interactionOf } from './steps.ts'

/** Every screen that has an address: drawn for both themes, sizes and directions, in two languages, and inspected. */

const origin = inject('origin')

let application: Application
beforeAll(async () => {
  application = await openApplication('Application')
})
afterAll(() => application.close())

const email = { identifier: { type: 'email', value: 'ada@example.com' } } as const
const phone = { identifier: { type: 'phone', value: '16502530000' } } as const
const name = { identifier: { type: 'username', value: 'ada_lovelace' } } as const
const taken = { registeredSocialIdentity: { email: 'ada.lovelace@example.com' } }

const both = { password: true, verificationCode: true, isPasswordPrimary: false }
const byName = { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }
const byEmail = { identifier: 'email', ...both }
const byPhone = { identifier: 'phone', ...both }

const everything = {
  signIn: { methods: [byName, byEmail, byPhone] },
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
}

type Screen = [path: string, navigation: NavigationState | null]

/** By the settings they need; what a page must be told of the one before it comes second. */
const settings: { called: string; experience: Record<string, unknown>; screens: Screen[] }[] = [
  {
    called: 'everything',
    experience: everything,
    screens: [
      ['sign-in', null],
      ['sign-in/password', email],
      ['sign-in/password', phone],
      ['sign-in/password', name],
      ['sign-in/verification-code', email],
      ['sign-in/verification-code', phone],
      ['register', null],
      ['register/password', name],
      ['register/verification-code', email],
      ['forgot-password', null],
      ['forgot-password/verification-code', phone],
      ['forgot-password/reset', email],
      ['continue/password', { ...email, event: 'SignIn' }],
      ['continue/username', { ...email, event: 'Register' }],
      ['continue/email', { event: 'SignIn', ...taken }],
      ['continue/phone', { event: 'Register' }],
      ['continue/emailOrPhone', { event: 'SignIn' }],
      ['continue/verification-code', phone],
      // Without what it should have been told.
      ['register/password', {}],
      ['no-such-page', null],
      ['unknown-session', null],
      ['oidc/auth?client_id=nobody', null],
      ['signed-in', null],
      ['oidc/session/end/success', null],
    ],
  },
  {
    called: 'names and passwords, with terms',
    experience: {
      signIn: { methods: [byName] },
      signUp: { identifiers: ['username'], password: true, verify: false },
      termsOfUseUrl: 'https://example.com/terms',
      privacyPolicyUrl: 'https://example.com/privacy',
      customContent: {
        '/sign-in': '<h2>Plan the week</h2><p>In <a href="https://example.com">one place</a>.</p>',
      },
    },
    screens: [
      ['sign-in', null],
      ['register', null],
      ['register/password', name],
      ['continue/password', name],
    ],
  },
  {
    called: 'phones alone',
    experience: {
      signIn: { methods: [{ ...byPhone, isPasswordPrimary: true }] },
      signUp: { identifiers: ['phone'], password: true, verify: true },
    },
    screens: [
      ['sign-in', null],
      ['register', null],
    ],
  },
  {
    called: 'codes alone',
    experience: {
      signIn: { methods: [{ ...byEmail, password: false }] },
      signUp: { identifiers: ['email'], password: false, verify: true },
      signInMode: 'SignIn',
    },
    screens: [
      ['sign-in', null],
      ['sign-in/verification-code', email],
    ],
  },
  {
    called: 'nothing',
    experience: { signIn: { methods: [] }, signUp: { identifiers: [], password: false, verify: false } },
    screens: [
      ['sign-in', null],
      ['register', null],
    ],
  },
]

describe.each(settings)('with $called', ({ called, experience, screens }) => {
  during(experience)

  describe.each([
    { size: 'desktop', options: desktop },
    { size: 'mobile', options: mobile },
  ])('on a $size screen', ({ size, options }) => {
    let client: Awaited<ReturnType<typeof person>>
    let others: string[]
    let uid: string
    beforeAll(async () => {
      client = await person(options)
      ;({ others } = await watch(client.context, origin))
      await client.page.goto((await application.authorizationUrl()).url)
      uid = interactionOf(client.page)
    })
    afterAll(() => client.context.close())

    it.each(screens)('/%s, told %j, is drawn, accessible, still and quiet', async (path, step) => {
      const { context, page, complaints } = client
      const shot = [called, path, step ? (step.identifier?.type ?? 'untold') : []]
        .flat()
        .join('-')
        .replaceAll(/\W+/g, '-')
      if (step) await tell(page, uid, step)
      const open = async (language: 'en' | 'de') => {
        const url = new URL(path, `${origin}/`)
        for (const [key, value] of Object.entries({ interaction: uid, lng: language })) {
          url.searchParams.set(key, value)
        }
        await page.goto(url.href)
        await expectStill(page)
      }

      await page.emulateMedia({ colorScheme: 'light' })
      await open('en')
      await look(page, `${shot}-light-${size}`)
      await expectSound(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await look(page, `${shot}-dark-${size}`)
      await expectSound(page)
      if (size === 'desktop') await expectRoom(page, `${shot}-rtl-dark-desktop`)

      // German words are long. Each theme is inspected on one of the sizes.
      await open('de')
      await look(page, `${shot}-de-dark-${size}`)
      if (size === 'desktop') await expectSound(page)
      await page.emulateMedia({ colorScheme: 'light' })
      await look(page, `${shot}-de-light-${size}`)
      if (size === 'mobile') await expectSound(page)
      expect(await overflow(page)).toBe(0)

      expect(complaints.splice(0)).toEqual([])
      expect(others.splice(0)).toEqual([])
      await context.clearCookies({ name: 'i18next' })
    })
  })
})

async function look(page: Page, shot: string): Promise<void> {
  await settled(page)
  await picture(page, shot)
}

/** Mirrored, and four times enlarged, there is still room for everything. */
async function expectRoom(page: Page, shot: string): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await look(page, shot)
  await expectSound(page)
  await page.setViewportSize({ width: 320, height: 256 })
  expect(await overflow(page), 'mirrored and enlarged').toBe(0)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'))
  expect(await overflow(page), 'enlarged').toBe(0)
  await page.setViewportSize(desktop.viewport)
}

/** As the page before would have. */
async function tell(page: Page, uid: string, step: NavigationState): Promise<void> {
  const told = await page.request.put(`${origin}/api/interaction/step`, {
    headers: { interaction: uid },
    data: step,
  })
  expect(told.ok()).toBe(true)
}
