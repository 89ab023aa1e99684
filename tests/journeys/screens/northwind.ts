import type { Page } from 'playwright'
import type { NavigationState } from '../../../src/contract/interactions/interaction.ts'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { untilPainted } from '../inspection.ts'
import { enablePasskeys } from '../passkeys/virtual-authenticator.ts'
import { interactionOf, signInByCalls } from '../steps.ts'
import { openTenant, type Tenant } from '../tenant.ts'

/** A tenant with a brand and everything that users can be offered, and what its users do on its pages. */

/** Returns the logo in the colour of a theme. */
const logoIn = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="168" height="40"><rect width="40" height="40" rx="10" fill="${color}"/>
  <path d="M11 29V11l18 18V11" fill="none" stroke="#fff" stroke-width="4"/>
  <text x="50" y="27" fill="${color}" font-family="sans-serif" font-weight="700" font-size="20">Northwind</text></svg>`
const LOGO = 'https://cdn.example.com/logo'
const colors = { light: '#0B6B50', dark: '#3CCB97' }

const brand = {
  color: { primaryColor: colors.light, isDarkModeEnabled: true, darkPrimaryColor: colors.dark },
  branding: { name: 'Northwind', logoUrl: `${LOGO}/light.svg`, darkLogoUrl: `${LOGO}/dark.svg` },
}

/** Answers the requests for the logo. */
export const serveLogo = (page: Page) =>
  page.route(`${LOGO}/*`, (route) => {
    const color = route.request().url().includes('dark') ? colors.dark : colors.light
    return route.fulfill({ contentType: 'image/svg+xml', body: logoIn(color) })
  })

const both = { password: true, verificationCode: true, isPasswordPrimary: true }
export const methods = {
  email: { identifier: 'email', ...both },
  phone: { identifier: 'phone', ...both },
  username: { identifier: 'username', ...both, verificationCode: false },
}
export const terms = {
  termsOfUseUrl: 'https://example.com/terms',
  privacyPolicyUrl: 'https://example.com/privacy',
}

export type Place = Tenant & {
  callback: string
  /** Starts a sign-in, with additional parameters of the authorization request. */
  open(page: Page, parameters?: Record<string, string>): Promise<unknown>
  /** Opens a page of a sign-in with the navigation state that the previous page would have stored. */
  step(page: Page, path: string, navigation?: NavigationState): Promise<void>
  /** Creates a user named Ada and signs in to the account centre. Returns the user's address. */
  visit(page: Page, path: string, user?: Record<string, unknown>): Promise<Person>
}
export type Person = { id: string; username: string; primaryEmail: string; primaryPhone: string }

/** Opens a tenant with the brand, once it is needed. */
export function placeWith(
  experience: Record<string, unknown> = {},
  prepare: (tenant: Tenant) => Promise<unknown> = async () => {},
): () => Promise<Place> {
  let opened: Promise<Place> | undefined
  return () => {
    opened ??= openPlace({ ...brand, ...experience }, prepare)
    return opened
  }
}

async function openPlace(
  experience: Record<string, unknown>,
  prepare: (tenant: Tenant) => Promise<unknown>,
): Promise<Place> {
  const tenant = await openTenant(experience)
  await prepare(tenant)
  const { origin } = tenant
  const { callback, authorizationUrl } = await tenant.openApplication('Northwind Bank')
  const open: Place['open'] = async (page, parameters = {}) =>
    page.goto((await authorizationUrl(parameters)).url)
  return {
    ...tenant,
    callback,
    open,
    async step(page, path, navigation) {
      await open(page)
      const uid = interactionOf(page)
      if (navigation) {
        const headers = { interaction: uid }
        const answer = await page.request.put(`${origin}/api/interaction/step`, { headers, data: navigation })
        if (!answer.ok()) throw new Error(`the step is not stored: ${answer.status()}`)
      }
      const url = new URL(path, `${origin}/`)
      url.searchParams.set('interaction', uid)
      await page.goto(url.href)
    },
    async visit(page, path, user) {
      const person = await newPerson(tenant, user)
      await signInByCalls(page, tenant, person.username)
      await page.goto(`${origin}/account${path}`)
      await page.locator('.account-main').waitFor()
      return person
    },
  }
}

let people = 0
/** Creates a user whose addresses look real. */
export async function newPerson(
  { createUser }: Pick<Tenant, 'createUser'>,
  more: Record<string, unknown> = {},
): Promise<Person> {
  const number = String(++people).padStart(4, '0')
  const person = {
    username: `ada_${number}`,
    primaryEmail: `ada.lovelace${number}@example.com`,
    primaryPhone: `1650253${number}`,
  }
  const { id } = await createUser({ ...person, name: 'Ada Lovelace', password: PASSWORD, ...more })
  return { id, ...person }
}

export const withSocial = async ({ call, offer }: Tenant) => {
  for (const name of ['google', 'github'])
    await call('POST', '/connectors', {
      connectorId: `${name}-universal`,
      id: name,
      config: { clientId: 'client', clientSecret: 'secret' },
    })
  await offer({ socialSignInConnectorTargets: ['google', 'github'] })
}

/** Offers all ways to sign in. */
export const northwind = placeWith(
  {
    ...terms,
    signIn: { methods: Object.values(methods) },
    signUp: { identifiers: ['email'], password: true, verify: true },
  },
  async (tenant) => {
    await withSocial(tenant)
    await enablePasskeys(tenant)
  },
)

/** Registers users with a username, which takes a password that is typed twice. */
export const byName = placeWith()

// Locators that do not depend on the language.
export const field = (page: Page, name: string) => page.locator(`main [name=${name}]`).first()
export const send = (page: Page) => page.locator('main button[name=submit]').first().click()
export const dialog = (page: Page) => page.locator('dialog[open]').last().waitFor()
export const problem = (page: Page) =>
  page.locator('main [role=alert], main [aria-invalid=true]').and(page.locator(':visible')).first().waitFor()
/** Types a complete code. The boxes for six digits submit it; other fields wait for Enter. */
export async function enterCode(page: Page, code: string): Promise<void> {
  const box = page.locator('main input[autocomplete=one-time-code], main input[name=code]').first()
  const isBox = await box.evaluate((element) => element.matches('.code-box'))
  await box.fill(code)
  if (!isBox) return box.press('Enter')
  // Without its script, a box keeps all digits.
  while ((await box.inputValue({ timeout: 500 }).catch(() => '')) === code) {
    await untilPainted(page)
    await box.fill(code)
  }
}

/** Fills in fields by name, and submits the form. */
export async function submit(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
  await send(page)
}

/** Keeps toasts, which would disappear after a few seconds. Call this before the first page is opened. */
export const keepToasts = (page: Page) =>
  page.addInitScript(() => {
    const { setTimeout: later } = window
    Reflect.set(
      window,
      'setTimeout',
      (run: () => void, ms = 0) => (ms > 2_500 && ms < 20_000) || later(run, ms),
    )
  })

export async function toast(page: Page): Promise<void> {
  const message = page.locator('.toast')
  await message.waitFor()
  await message.evaluate((element) => {
    for (const each of element.getAnimations())
      if (Reflect.get(each, 'animationName') === 'vanish') each.cancel()
  })
}

/** Fills in a new password, twice where the page asks for that. */
export async function choosePassword(page: Page, secret: string): Promise<void> {
  await field(page, 'newPassword').fill(secret)
  const again = field(page, 'confirmPassword')
  if (await again.count()) await again.fill(secret)
}
