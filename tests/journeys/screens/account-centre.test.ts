import type { Page } from 'playwright'
import { startDevice } from '../../kit/clients/device-client.ts'
import { ageSignIn } from '../database.ts'
import { untilHydrated } from '../inspection.ts'
import { Authenticator, enablePasskeys, withoutAutofill } from '../passkeys/virtual-authenticator.ts'
import { signInByCalls } from '../steps.ts'
import type { Tenant } from '../tenant.ts'
import {
  choosePassword,
  enterCode,
  field,
  methods,
  newPerson,
  placeWith,
  problem,
  withSocial,
} from './northwind.ts'
import { inspectStates, type States } from './views.ts'

/** The account centre, devices, invitations, and links that undo a change. */

const inArabic = (en: string, ar: string) => ({ en, ar })
const centre = placeWith({ signIn: { methods: Object.values(methods) } }, async (tenant) => {
  await withSocial(tenant)
  await enablePasskeys(tenant)
  await tenant.call('PATCH', '/configs/settings', {
    secondFactor: { policy: 'optional', factors: ['totp', 'passkey'] },
    accountCentre: {
      enabled: true,
      customFields: [
        { key: 'department', type: 'text', label: inArabic('Department', 'القسم'), access: 'edit' },
      ],
    },
  })
})

const open = (path: string) => async (page: Page) => (await centre()).visit(page, path)

/** Presses the button of a form of the account centre. */
const press = (page: Page, intent?: string) =>
  page
    .locator(intent ? `main button[value=${intent}]` : 'main form button')
    .first()
    .click()

/** Starts a change of the address up to the page for the code. Returns the new and the old address. */
async function changeAddress(page: Page): Promise<{ previous: string; next: string; code: string }> {
  const place = await centre()
  const { username, primaryEmail: previous } = await place.visit(page, '/email')
  const next = `${username}@new.example`
  await page.locator('main input[name=identifier]').fill(next)
  await press(page, 'send')
  await page.waitForURL('**/account/email/code')
  return { previous, next, code: await place.codeTo(next) }
}

/** Takes the first of the steps after unknown activity. */
async function changePassword(page: Page): Promise<void> {
  await page.locator('main a[href="/account/password"]').click()
  await choosePassword(page, 'another-horse-8')
  await press(page, 'change')
  await page.waitForURL('**/account/not-me')
}

async function undoLink({ origin }: Pick<Tenant, 'origin'>, address: string): Promise<string> {
  const inbox = await fetch(`${origin}/dev/inbox.json?to=${encodeURIComponent(address)}`)
  return /https?:[^\s"\\]+\/account\/undo\?change=[\w-]+/.exec(await inbox.text())?.[0] ?? ''
}

const account: States = {
  overview: open(''),
  profile: open('/profile'),
  'profile-saved': async (page) => {
    await open('/profile')(page)
    await field(page, 'name').fill('Ada King')
    await press(page)
    await page.locator('main [role=status]').first().waitFor()
  },
  'sign-in': open('/sign-in'),
  email: open('/email'),
  'email-invalid': async (page) => {
    await open('/email')(page)
    await page
      .locator('main form', { has: page.locator('input[name=identifier]') })
      .evaluate((form: HTMLFormElement) => {
        form.noValidate = true
      })
    await page.locator('main input[name=identifier]').fill('ada@')
    await press(page, 'send')
    await problem(page)
  },
  'email-code': changeAddress,
  'email-code-wrong': async (page) => {
    await changeAddress(page)
    await enterCode(page, '000000')
    await problem(page)
  },
  phone: open('/phone'),
  password: open('/password'),
  'password-refused': async (page) => {
    await open('/password')(page)
    await choosePassword(page, 'short')
    await press(page)
    await problem(page)
  },
  passkeys: async (page) => {
    await page.addInitScript(withoutAutofill)
    await Authenticator.plugInto(page)
    await open('/passkeys/new')(page)
    await untilHydrated(page)
    await page.locator('main button[name=intent]').first().click()
    await page.waitForURL('**/account/passkeys')
  },
  'passkeys-none': open('/passkeys'),
  'passkeys-new': async (page) => {
    await page.addInitScript(withoutAutofill)
    await open('/passkeys/new')(page)
  },
  factors: open('/factors'),
  'factors-app': open('/factors/app'),
  'factors-app-wrong': async (page) => {
    await open('/factors/app')(page)
    await enterCode(page, '000000')
    await problem(page)
  },
  'factors-key': open('/factors/key'),
  browsers: open('/browsers'),
  identities: open('/identities'),
  sessions: open('/sessions'),
  applications: open('/applications'),
  activity: async (page) => {
    await open('/activity')(page)
    await page.locator('main summary').first().click()
  },
  'not-me': open('/not-me'),
  'not-me-next': async (page) => {
    await open('/not-me')(page)
    await changePassword(page)
  },
  'not-me-done': async (page) => {
    await open('/not-me')(page)
    await changePassword(page)
    await press(page, 'check')
    await page.locator('main button[value=restart]').waitFor()
  },
  data: open('/data'),
  'data-refused': async (page) => {
    await open('/data')(page)
    await page.locator('main form').last().locator('button').click()
    await problem(page)
  },
  deleted: async (page) => {
    await open('/data')(page)
    await page.locator('main input[type=checkbox]').last().check()
    await page.locator('main form').last().locator('button').click()
    await page.waitForURL('**/account/deleted**')
  },
  missing: async (page) => page.goto(`${(await centre()).origin}/account/nothing`),
  // The sign-in is too old for this page, so that users have to prove who they are.
  'step-up': async (page) => {
    const { username } = await open('/password')(page)
    ageSignIn(username)
    await page.context().clearCookies({ name: '__Host-_account' })
    await page.reload()
    await page.waitForURL('**/sign-in?**')
  },
  undo: async (page) => {
    const { previous, code } = await changeAddress(page)
    await enterCode(page, code)
    await page.waitForURL('**/account/email')
    await page.goto(await undoLink(await centre(), previous))
  },
  'undo-invalid': async (page) => page.goto(`${(await centre()).origin}/account/undo?change=invalid`),
}
inspectStates('account', account, ['step-up', 'not-me-done'])

const invitation = async () =>
  (await (await centre()).call<{ url: string }>('POST', '/administrator-invitations', {})).url

const invitations: States = {
  new: async (page) => page.goto(await invitation()),
  refused: async (page) => {
    await page.goto(await invitation())
    await field(page, 'identifier').fill('ada_lovelace')
    await choosePassword(page, 'short')
    await press(page, 'create')
    await problem(page)
  },
  'signed-in': async (page) => {
    const place = await centre()
    await place.visit(page, '')
    await page.goto(await invitation())
  },
  invalid: async (page) => page.goto(`${(await centre()).origin}/account/invitation?token=invalid`),
}
inspectStates('invitation', invitations, ['refused'])

let television: Promise<string> | undefined
async function startTelevision() {
  const { call, origin } = await centre()
  television ??= call<{ id: string }>('POST', '/applications', {
    name: 'Television',
    type: 'Native',
    customClientMetadata: { deviceFlow: true },
  }).then(({ id }) => id)
  const site = { fetch: (path: string, init?: RequestInit) => fetch(origin + path, init) }
  return startDevice(site, await television)
}

const YES = 'main [name=confirm], main [name=decision]'
const NO = 'main [name=abort], main [name=decision][value=deny]'

/** Opens the link that the device shows, and confirms its code. The user is signed in unless `isNew`. */
async function confirmCode(page: Page, { isNew = false } = {}): Promise<void> {
  const place = await centre()
  if (!isNew) await signInByCalls(page, place, (await newPerson(place)).username)
  await page.goto((await startTelevision()).verification_uri_complete)
  await page.locator('main form button').first().click()
  await page.locator(`${NO}, main [name=identifier]`).first().waitFor()
}

const device: States = {
  code: async (page) => page.goto(`${(await centre()).origin}/device`),
  unknown: async (page) => {
    await page.goto(`${(await centre()).origin}/device`)
    await page.locator('main [name=user_code]').first().fill('bcdf ghjk')
    await page.keyboard.press('Enter')
    await problem(page)
  },
  'code-from-link': async (page) => page.goto((await startTelevision()).verification_uri_complete),
  'question-signed-out': (page) => confirmCode(page, { isNew: true }),
  question: (page) => confirmCode(page),
  allowed: async (page) => {
    await confirmCode(page)
    await page.locator(YES).first().click()
    await page.locator(NO).waitFor({ state: 'detached' })
    await page.locator('main h1').waitFor()
  },
  denied: async (page) => {
    await confirmCode(page)
    await page.locator(NO).first().click()
    await page.locator(NO).waitFor({ state: 'detached' })
    await page.locator('main h1').waitFor()
  },
}
inspectStates('device', device)
