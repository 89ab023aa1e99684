import type { Page } from 'playwright'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { wrongCode } from '../../kit/clients/interaction-client.ts'
import { codeOf } from '../../kit/second-factor.ts'
import { untilHydrated } from '../inspection.ts'
import { Authenticator, enablePasskeys, withoutAutofill } from '../passkeys/virtual-authenticator.ts'
import { interactionOf } from '../steps.ts'
import {
  dialog,
  enterCode,
  field,
  keepToasts,
  methods,
  newPerson,
  northwind,
  type Place,
  placeWith,
  problem,
  send,
  submit,
  toast,
} from './northwind.ts'
import { inspectStates, type States } from './views.ts'

/** Verification codes, second factors, and the offer of a passkey. */

const email = { identifier: { type: 'email', value: 'ada.lovelace@example.com' } } as const
const phone = { identifier: { type: 'phone', value: '16502530000' } } as const

const freshAddress = () => `ada.${freshName().slice(-6)}@example.com`

/** Sends a code to a new address from a page with the field for it, and returns the code. */
async function sendCode(page: Page, { codeTo }: Place, address = freshAddress()): Promise<string> {
  await submit(page, { identifier: address })
  await page.waitForURL('**/verification-code?**')
  await untilHydrated(page)
  return codeTo(address)
}

const codes: States = {
  'sign-in-by-email': async (page) => (await northwind()).step(page, 'sign-in/verification-code', email),
  'sign-in-by-phone': async (page) => (await northwind()).step(page, 'sign-in/verification-code', phone),
  register: async (page) => (await northwind()).step(page, 'register/verification-code', email),
  reset: async (page) => (await northwind()).step(page, 'forgot-password/verification-code', phone),
  missing: async (page) => (await northwind()).step(page, 'continue/verification-code', phone),
  wrong: async (page) => {
    const place = await withoutTerms()
    await place.open(page, { interaction_mode: 'signUp' })
    await enterCode(page, wrongCode(await sendCode(page, place)))
    await problem(page)
  },
  ready: async (page) => {
    const place = await withoutTerms()
    await page.clock.install()
    await place.open(page, { interaction_mode: 'signUp' })
    await sendCode(page, place)
    await page.clock.fastForward(60_000)
    await page.locator('form button[value=resend], .text-button').first().waitFor()
  },
  'sent-again': async (page) => {
    const place = await withoutTerms()
    await page.clock.install()
    await keepToasts(page)
    await place.open(page, { interaction_mode: 'signUp' })
    await sendCode(page, place)
    await page.clock.fastForward(60_000)
    await page.locator('.text-button').first().click()
    await toast(page)
  },
  'account-unknown': async (page) => {
    const place = await onlyCodes()
    await place.open(page)
    await enterCode(page, await sendCode(page, place))
    await dialog(page)
  },
  'account-exists': async (page) => {
    const place = await onlyCodes()
    const { primaryEmail } = await newPerson(place)
    await place.open(page, { interaction_mode: 'signUp' })
    await enterCode(page, await sendCode(page, place, primaryEmail))
    await dialog(page)
  },
  'reset-unknown': async (page) => {
    const place = await northwind()
    await place.step(page, 'forgot-password')
    await enterCode(page, await sendCode(page, place))
    await dialog(page)
  },
}
const withoutTerms = placeWith({
  signIn: { methods: Object.values(methods) },
  signUp: { identifiers: ['email'], password: true, verify: true },
})
const onlyCodes = placeWith({
  signIn: {
    methods: [{ ...methods.email, password: false }],
  },
  signUp: { identifiers: ['email'], password: false, verify: true },
})
inspectStates('code', codes)

type Factors = { policy: string; factors?: string[]; putOffs?: number }
const withFactors = (secondFactor: Factors) =>
  placeWith({}, async (tenant) => {
    await enablePasskeys(tenant)
    await tenant.call('PATCH', '/configs/settings', { secondFactor })
  })
const everyKind = ['totp', 'passkey', 'email', 'phone']
const required = withFactors({ policy: 'required' })
const prompting = withFactors({ policy: 'prompt', putOffs: 3 })
const optional = withFactors({ policy: 'optional', factors: everyKind })

/** Signs in with the password, up to the page for the second factor. Returns the user. */
async function toFactor(page: Page, place: Place, user: Record<string, unknown> = {}) {
  await page.addInitScript(withoutAutofill)
  const person = await newPerson(place, user)
  await place.open(page)
  await submit(page, { identifier: person.username, password: PASSWORD })
  await page.waitForURL('**/second-factor**')
  await untilHydrated(page)
  return person
}

/** Opens another page of the second factor with the same query. */
async function turnTo(page: Page, path: string): Promise<void> {
  const url = new URL(page.url())
  url.pathname = `/second-factor/${path}`
  await page.goto(url.href)
  await untilHydrated(page)
}

/** Sets up an authenticator app with the calls of the page. */
async function enrol(page: Page): Promise<void> {
  const headers = { interaction: interactionOf(page) }
  const { origin } = new URL(page.url())
  const begun = await page.request.post(`${origin}/api/interaction/factors/totp`, { headers })
  const { secret } = (await begun.json()) as { secret: string }
  const totpCode = await codeOf(secret)
  await page.request.put(`${origin}/api/interaction/factors/totp`, { headers, data: { totpCode } })
  await page.request.post(`${origin}/api/interaction/submit`, { headers })
}

/** Opens the second step of a user who has an authenticator app, an address and a phone. */
async function withApp(page: Page): Promise<void> {
  const place = await required()
  const { username } = await toFactor(page, place)
  await enrol(page)
  await page.context().clearCookies()
  await place.open(page)
  await submit(page, { identifier: username, password: PASSWORD })
  await page.waitForURL('**/second-factor**')
  await untilHydrated(page)
}

/** Asks for a code by the button of the old pages. Newer pages have sent it. */
async function toSentCode(page: Page, channel: 'email' | 'phone'): Promise<void> {
  await toFactor(page, await optional())
  await turnTo(page, channel)
  if ((await page.locator('main input[autocomplete=one-time-code]').count()) === 0) await send(page)
  await page.locator('main input[autocomplete=one-time-code]').first().waitFor()
}

const factor: States = {
  app: withApp,
  'app-wrong': async (page) => {
    await withApp(page)
    await enterCode(page, '000000')
    await problem(page)
  },
  'backup-code': async (page) => {
    await withApp(page)
    await turnTo(page, 'backup-code')
  },
  first: async (page) => toFactor(page, await optional()),
  choose: async (page) => {
    await toFactor(page, await optional())
    const url = new URL(page.url())
    url.searchParams.set('factors', 'passkey,totp,phone,email,backupCode')
    url.pathname = '/second-factor/choose'
    await page.goto(url.href)
  },
  recovery: async (page) => {
    await toFactor(page, await optional())
    await turnTo(page, 'recovery')
  },
  phone: async (page) => {
    await toFactor(page, await optional())
    await turnTo(page, 'phone')
  },
  'code-by-phone': async (page) => toSentCode(page, 'phone'),
  'code-by-email': async (page) => toSentCode(page, 'email'),
  'code-by-email-wrong': async (page) => {
    await toSentCode(page, 'email')
    await enterCode(page, '000000')
    await problem(page)
  },
  passkey: async (page) => {
    await toFactor(page, await optional())
    await turnTo(page, 'passkey')
  },
  'set-up': async (page) => toFactor(page, await required()),
  'set-up-later': async (page) => toFactor(page, await prompting()),
  'set-up-app': async (page) => {
    await toFactor(page, await required())
    await send(page)
    await page.locator('main input[autocomplete=one-time-code]').first().waitFor()
  },
  'set-up-app-wrong': async (page) => {
    await toFactor(page, await required())
    await send(page)
    await enterCode(page, '000000')
    await problem(page)
  },
  'backup-codes': async (page) => {
    await toFactor(page, await required())
    await page.route('**/api/interaction/factors/totp', async (route) => {
      const answer = await route.fetch()
      secretOf.set(page, (await answer.json()).secret ?? secretOf.get(page))
      await route.fulfill({ response: answer })
    })
    await send(page)
    await field(page, 'totpCode').or(page.locator('.code-box').first()).first().waitFor()
    await enterCode(page, await codeOf(secretOf.get(page) ?? ''))
    await page.waitForURL('**/second-factor/backup-codes?**')
  },
}
const secretOf = new WeakMap<Page, string>()
inspectStates('factor', factor, ['set-up-app-wrong'])

const offering = placeWith({}, (tenant) => enablePasskeys(tenant, { offer: true }))
const passkey: States = {
  offer: async (page) => {
    await page.addInitScript(withoutAutofill)
    await Authenticator.plugInto(page)
    const place = await offering()
    const { username } = await newPerson(place)
    await place.open(page)
    await submit(page, { identifier: username, password: PASSWORD })
    await page.waitForURL('**/sign-in/passkey?**')
    await untilHydrated(page)
  },
}
inspectStates('passkey', passkey)
