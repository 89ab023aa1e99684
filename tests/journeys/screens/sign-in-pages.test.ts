import type { Page } from 'playwright'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { untilHydrated } from '../inspection.ts'
import { forgetInteraction, interactionOf, signInByCalls } from '../steps.ts'
import {
  byName,
  choosePassword,
  dialog,
  keepToasts,
  methods,
  newPerson,
  northwind,
  type Place,
  placeWith,
  problem,
  send,
  submit,
  terms,
  toast,
  withSocial,
} from './northwind.ts'
import { inspectStates, onPhones, type States } from './views.ts'

/** The first page, passwords, registration, terms, resets and what an account lacks. */

const onlyCodes = placeWith({
  signIn: { methods: [{ ...methods.email, password: false }] },
  signUp: { identifiers: ['email'], password: false, verify: true },
  signInMode: 'SignIn',
})
const onlyPhones = placeWith({
  signIn: { methods: [methods.phone] },
  signUp: { identifiers: ['phone'], password: true, verify: true },
})
const onlySocial = placeWith(
  { signIn: { methods: [] }, signUp: { identifiers: [], password: false, verify: false } },
  withSocial,
)
const withTerms = placeWith({ ...terms, agreeToTermsPolicy: 'ManualRegistrationOnly' })
const withoutLogo = placeWith({ branding: { name: 'Northwind', logoUrl: 'https://cdn.example.com/none' } })
const split = placeWith({ ...terms, layout: { type: 'Split' } })
const lacking = placeWith({
  signIn: { methods: Object.values(methods) },
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
})

const email = { identifier: { type: 'email', value: 'ada.lovelace@example.com' } } as const
const phone = { identifier: { type: 'phone', value: '16502530000' } } as const
const name = { identifier: { type: 'username', value: 'ada_lovelace' } } as const
const signUp = { interaction_mode: 'signUp' }
const wrong = { identifier: 'ada_lovelace', password: 'wrong-horse-7' }

/** Refuses the next calls of the page as if there were no response. */
const refuse = (page: Page) =>
  page.route('**/api/interaction{,/**}', (route) => route.fulfill({ status: 422, json: {} }))

const first: States = {
  everything: async (page) => (await northwind()).open(page),
  'by-username': async (page) => (await byName()).open(page),
  'only-codes': async (page) => (await onlyCodes()).open(page),
  'only-phones': async (page) => (await onlyPhones()).open(page),
  'only-social': async (page) => (await onlySocial()).open(page),
  'split-layout': async (page) => (await split()).open(page),
  'without-logo': async (page) => (await withoutLogo()).open(page),
  empty: async (page) => {
    await (await northwind()).open(page)
    await submit(page, { identifier: '' })
    await problem(page)
  },
  invalid: async (page) => {
    await (await northwind()).open(page)
    await submit(page, { identifier: 'ada@' })
    await problem(page)
  },
  refused: async (page) => {
    await (await byName()).open(page)
    await submit(page, wrong)
    await problem(page)
  },
  'without-answer': async (page) => {
    await refuse(page)
    await (await byName()).open(page)
    await submit(page, wrong)
    await page.locator('.form-repeat').waitFor()
  },
  expired: async (page) => {
    await (await byName()).open(page)
    await forgetInteraction(page)
    await submit(page, wrong)
    await page.locator('.content-empty').waitFor()
  },
  countries: async (page) => {
    await (await onlyPhones()).open(page)
    await untilHydrated(page)
    await page.locator('main [aria-haspopup]').first().click()
    await page.getByRole('combobox').fill('a')
  },
  languages: async (page) => {
    await (await northwind()).open(page)
    await page.locator('.languages summary').click()
  },
}
inspectStates('first', first)

/** Opens the first page of a browser in which these users have signed in. */
async function comeBack(page: Page, place: Place, people = 1) {
  for (let count = 0; count < people; count++) {
    await signInByCalls(page, place, (await newPerson(place)).username)
    await page.context().clearCookies({ name: /_session/ })
  }
  await place.open(page, { prompt: 'login' })
}
const returning: States = {
  one: async (page) => comeBack(page, await northwind()),
  several: async (page) => comeBack(page, await northwind(), 3),
  'in-split-layout': async (page) => comeBack(page, await split()),
}
inspectStates('returning', returning)

const password: States = {
  email: async (page) => (await northwind()).step(page, 'sign-in/password', email),
  phone: async (page) => (await northwind()).step(page, 'sign-in/password', phone),
  username: async (page) => (await northwind()).step(page, 'sign-in/password', name),
  wrong: async (page) => {
    await (await northwind()).step(page, 'sign-in/password', email)
    await submit(page, { password: 'wrong-horse-7' })
    await problem(page)
  },
}
inspectStates('password', password)

/** Starts a registration by username up to the page for the password. */
async function toNewPassword(page: Page): Promise<void> {
  await (await byName()).open(page, signUp)
  await submit(page, { identifier: `ada_${crypto.randomUUID().slice(0, 4)}` })
  await page.waitForURL('**/register/password?**')
}

const register: States = {
  first: async (page) => (await northwind()).open(page, signUp),
  'by-username': async (page) => (await byName()).open(page, signUp),
  password: toNewPassword,
  'password-refused': async (page) => {
    await toNewPassword(page)
    await choosePassword(page, 'short')
    await send(page)
    await problem(page)
  },
  taken: async (page) => {
    const place = await byName()
    const { username } = await newPerson(place)
    await place.open(page, signUp)
    await submit(page, { identifier: username })
    await problem(page)
  },
  'terms-question': async (page) => {
    await (await withTerms()).open(page, signUp)
    await submit(page, { identifier: 'ada_lovelace' })
    await dialog(page)
  },
  'terms-not-agreed': async (page) => {
    await (await withTerms()).open(page, signUp)
    await submit(page, { identifier: 'ada_lovelace' })
    await dialog(page)
    await page.keyboard.press('Escape')
    await problem(page)
  },
  'terms-sheet': onPhones(async (page) => {
    await page.route('https://example.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Terms</title><h1>Terms of Use</h1>' }),
    )
    await (await northwind()).open(page)
    await untilHydrated(page)
    await page.locator('.terms a').first().click()
    await page.locator('.sheet-bar[data-done]').waitFor({ state: 'attached' })
  }),
}
inspectStates('register', register)

const reset: States = {
  first: async (page) => (await northwind()).step(page, 'forgot-password'),
  password: async (page) => (await northwind()).step(page, 'forgot-password/reset', email),
  'password-refused': async (page) => {
    await (await northwind()).step(page, 'forgot-password/reset', email)
    await submit(page, { newPassword: 'short' })
    await problem(page)
  },
  changed: async (page) => {
    const place = await northwind()
    const { primaryEmail } = await newPerson(place)
    await keepToasts(page)
    await place.step(page, 'forgot-password', { identifier: { type: 'email', value: primaryEmail } })
    await submit(page, { identifier: primaryEmail })
    await page.waitForURL('**/forgot-password/verification-code?**')
    await untilHydrated(page)
    await page
      .locator('.code-box')
      .first()
      .fill(await place.codeTo(primaryEmail))
    await page.waitForURL('**/forgot-password/reset?**')
    await submit(page, { newPassword: `${PASSWORD}-new` })
    await page.waitForURL('**/sign-in?**')
    await toast(page)
  },
}
inspectStates('reset', reset, ['password-refused'])

const missing: States = {
  password: async (page) => (await lacking()).step(page, 'continue/password', { ...email, event: 'SignIn' }),
  username: async (page) =>
    (await lacking()).step(page, 'continue/username', { ...email, event: 'Register' }),
  email: async (page) => (await lacking()).step(page, 'continue/email', { event: 'SignIn' }),
  phone: async (page) => (await lacking()).step(page, 'continue/phone', { event: 'Register' }),
  'email-or-phone': async (page) =>
    (await lacking()).step(page, 'continue/emailOrPhone', { event: 'SignIn' }),
  'email-invalid': async (page) => {
    await (await lacking()).step(page, 'continue/email', { event: 'SignIn' })
    await submit(page, { identifier: 'ada@' })
    await problem(page)
  },
}
inspectStates('missing', missing)

const ended: States = {
  'unknown-session': async (page) => page.goto(`${(await northwind()).origin}/unknown-session`),
  'no-page': async (page) => page.goto(`${(await northwind()).origin}/no-such-page`),
  'lost-step': async (page) => (await northwind()).step(page, 'register/password', {}),
  'wrong-request': async (page) => page.goto(`${(await northwind()).origin}/oidc/auth?client_id=unknown`),
  'signed-in': async (page) => page.goto(`${(await northwind()).origin}/signed-in`),
  'signed-out': async (page) => page.goto(`${(await northwind()).origin}/oidc/session/end/success`),
  'sign-out': async (page) => {
    const { visit, origin } = await northwind()
    await visit(page, '')
    await page.goto(`${origin}/oidc/session/end`)
  },
  'second-tab': async (page) => {
    const place = await byName()
    const { username } = await newPerson(place)
    await place.open(page)
    const { href } = new URL(page.url())
    await submit(page, { identifier: username, password: PASSWORD })
    await page.waitForURL(`${place.callback}**`)
    await page.goto(href)
  },
  springboard: async (page) => {
    const { origin, open } = await northwind()
    await open(page)
    const query = new URLSearchParams({ connectorId: 'google', callback: 'com.example.app://back' })
    query.set('state', `${interactionOf(page)}.aaaaaaaaaaaaaaaa`)
    await page.goto(`${origin}/springboard?${query}`)
  },
}
inspectStates('end', ended)
