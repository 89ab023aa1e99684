import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NavigationState } from '../../src/contract/interaction.ts'
import { desktop, mobile, openBrowser, picture, sweep, type UserAgent } from './browser.ts'
import { expectSound, expectStill, overflow, settled, watchContext } from './inspection.ts'
import { interactionOf } from './steps.ts'
import { openTenant } from './tenant.ts'

/** Every screen that has an address, inspected in both themes, sizes and directions and in two languages. */

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

/** By the settings they need. The second value is the navigation state that the page before has left. */
const groups: { called: string; experience: Record<string, unknown>; screens: Screen[] }[] = [
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
      // Without the state it needs.
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

const sizes = { desktop, mobile }
type View = { size: keyof typeof sizes; language: 'en' | 'de'; colorScheme: 'light' | 'dark' }

const views = Object.keys(sizes).flatMap((size) =>
  (['en', 'de'] as const).flatMap((language) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ size, language, colorScheme }) as View),
  ),
)

/** Both sizes, languages and themes in two views; every pair of two of them within four screens. */
const rounds: View[][] = [
  [
    { size: 'desktop', language: 'en', colorScheme: 'light' },
    { size: 'mobile', language: 'de', colorScheme: 'dark' },
  ],
  [
    { size: 'desktop', language: 'de', colorScheme: 'dark' },
    { size: 'mobile', language: 'en', colorScheme: 'light' },
  ],
  [
    { size: 'desktop', language: 'de', colorScheme: 'light' },
    { size: 'mobile', language: 'en', colorScheme: 'dark' },
  ],
  [
    { size: 'desktop', language: 'en', colorScheme: 'dark' },
    { size: 'mobile', language: 'de', colorScheme: 'light' },
  ],
]
const viewsOf = (number: number) => (sweep.isExhaustive ? views : (rounds[number % rounds.length] ?? []))

type Client = UserAgent & { uid: string; others: string[] }

describe.each(groups)('with $called', async ({ called, experience, screens }) => {
  const color = { primaryColor: '#6139F6', isDarkModeEnabled: true, darkPrimaryColor: '#8768F8' }
  const tenant = await openTenant({ color, ...experience })
  const application = await tenant.openApplication()
  const clients = new Map<View['size'], Client>()

  beforeAll(async () => {
    for (const size of ['desktop', 'mobile'] as const) {
      const client = await openBrowser(sizes[size])
      const { others } = await watchContext(client.context, tenant.origin)
      await client.page.goto((await application.authorizationUrl()).url)
      clients.set(size, { ...client, others, uid: interactionOf(client.page) })
    }
  })
  afterAll(async () => {
    for (const { context } of clients.values()) await context.close()
  })

  const numbered = screens.map(([path, navigation], number) => ({
    ...{ path, navigation, number },
    kind: navigation ? (navigation.identifier?.type ?? 'no identifier') : 'no state',
  }))

  it.each(numbered)('/$path, with $kind, is accessible, still and quiet', async (screen) => {
    const { path, navigation, number, kind } = screen
    const shot = [called, path, kind].join('-').replaceAll(/\W+/g, '-')
    for (const { size, language, colorScheme } of viewsOf(number)) {
      const { context, page, complaints, others, uid } = clients.get(size) as Client
      if (navigation) await remember(page, uid, navigation)
      await page.emulateMedia({ colorScheme })
      const url = new URL(path, `${tenant.origin}/`)
      url.searchParams.set('interaction', uid)
      url.searchParams.set('lng', language)
      await page.goto(url.href)
      await settled(page)
      await expectStill(page)
      await picture(page, `${shot}-${language}-${colorScheme}-${size}`)
      await expectSound(page)
      if (size === 'desktop') await expectFit(page, `${shot}-${language}-rtl-${colorScheme}`)

      expect(complaints.splice(0)).toEqual([])
      expect(others.splice(0)).toEqual([])
      await context.clearCookies({ name: 'i18next' })
    }
  })

  /** As the page before does. */
  async function remember(page: Page, uid: string, navigation: NavigationState): Promise<void> {
    const answer = await page.request.put(`${tenant.origin}/api/interaction/step`, {
      headers: { interaction: uid },
      data: navigation,
    })
    expect(answer.ok()).toBe(true)
  }
})

/** Mirrored, and enlarged four times, everything still fits. */
async function expectFit(page: Page, shot: string): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await picture(page, shot)
  if (sweep.isExhaustive) await expectSound(page)
  else expect(await overflow(page), 'mirrored').toBe(0)
  await page.setViewportSize({ width: 320, height: 256 })
  expect(await overflow(page), 'mirrored and enlarged').toBe(0)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'))
  expect(await overflow(page), 'enlarged').toBe(0)
  await page.setViewportSize(desktop.viewport)
}
