import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { inExhaustiveRun, openPage, savePicture, withoutScript } from '../browser.ts'
import { expectSound, untilHydrated } from '../inspection.ts'
import { followLink, pressButton, registerOnPages, signInOnPage } from '../steps.ts'
import {
  Authenticator,
  forgetSignals,
  openPasskeyBrowser,
  rememberSignals,
  signalsOf,
  withoutAutofill,
  withPasskeys,
} from './virtual-authenticator.ts'

/** Tests the creation of passkeys during sign-in in Chromium (spec/pages#passkey-offer). */
const tenant = await withPasskeys({ offer: true })
const shop = await tenant.openApplication('Shop')

const TITLE = 'Skip the password next time'

type Device = { hasAuthenticator?: boolean; script?: () => void }

async function openBrowser({ hasAuthenticator = true, script = withoutAutofill }: Device = {}) {
  if (hasAuthenticator && script === withoutAutofill) {
    const client = await openPasskeyBrowser()
    return { ...client, passkeys: async () => (await client.authenticator.credentials()).length }
  }
  const { page, complaints } = await openPage()
  page.setDefaultTimeout(8_000)
  await rememberSignals(page)
  await page.addInitScript(script)
  const authenticator = hasAuthenticator ? await Authenticator.plugInto(page) : null
  const passkeys = async () => (await authenticator?.credentials())?.length
  return { page, complaints, authenticator, passkeys }
}

/**
 * Starts a new authorization request of the application with the user signed out, and opens its first page.
 */
async function openFirstPage(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.goto((await shop.authorizationUrl()).url)
}

async function signIn(page: Page, name: string): Promise<void> {
  await openFirstPage(page)
  await signInOnPage(page, name)
}

/** Waits until the page with the offer has loaded its script. */
async function offerOf(page: Page): Promise<void> {
  await page.getByRole('heading', { name: TITLE }).waitFor()
  await untilHydrated(page)
}

async function expectBack(page: Page): Promise<void> {
  await page.waitForURL(`${shop.callback}**`)
  expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
}

const passkeysOf = async (name: string) => {
  const [user] = await tenant.call<{ id: string }[]>('GET', `/users?search.username=${name}`)
  return tenant.call<{ id: string }[]>('GET', `/users/${user?.id}/passkeys`)
}

describe('the offer to create a passkey', () => {
  it('creates a passkey after a sign-in, and the passkey works at the next sign-in', async () => {
    const { page, complaints, passkeys } = await openBrowser()
    const name = await tenant.registeredName()
    await signIn(page, name)
    await offerOf(page)
    await expectSound(page)
    await savePicture(page, 'passkey-offer')
    await pressButton(page, 'Create a passkey')
    await expectBack(page)
    expect(await passkeys()).toBe(1)
    await openFirstPage(page)
    await pressButton(page, 'Sign in with a passkey')
    await expectBack(page)
    expect(complaints).toEqual([])
  })

  it('says where the passkey was saved while the browser leaves, using only the keyboard', async () => {
    const { page } = await openBrowser()
    await signIn(page, await tenant.registeredName())
    await offerOf(page)
    const create = page.getByRole('button', { name: 'Create a passkey' })
    const height = (await create.boundingBox())?.height
    // A redirect without content leaves the page where it is.
    await page.route('**/oidc/auth/**', (route) => route.fulfill({ status: 204 }))
    for (let stops = 0; stops < 6 && !(await create.evaluate((it) => it === document.activeElement)); stops++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Passkey saved').waitFor({ state: 'attached' })
    const saved = page.getByRole('button', { name: 'Passkey saved' })
    expect((await saved.boundingBox())?.height).toBe(height)
    await savePicture(page, 'passkey-saved')
  })

  // tests/application/passkeys/passkey-offer.test.ts covers the offer after a registration.
  inExhaustiveRun('creates a passkey after a registration', async () => {
    const { page } = await openBrowser()
    const name = freshName()
    await openFirstPage(page)
    await followLink(page, 'Create account')
    await registerOnPages(page, name)
    await offerOf(page)
    await pressButton(page, 'Create a passkey')
    await expectBack(page)
    expect(await passkeysOf(name)).toHaveLength(1)
  })

  // tests/application/passkeys/passkey-offer.test.ts covers when the offer is repeated, tests/client/pages.test.tsx the
  // page without JavaScript, and the next test a sign-in without the offer.
  inExhaustiveRun('is not repeated at the next sign-in after the user postpones it', async () => {
    const { page, passkeys } = await openBrowser()
    const name = await tenant.registeredName()
    await signIn(page, name)
    await offerOf(page)
    // Without JavaScript, the same page cannot create a passkey, but the user can continue.
    const { page: plain, context } = await openPage(withoutScript)
    await context.addCookies(await page.context().cookies())
    await plain.goto(page.url())
    expect(await plain.getByRole('button').allTextContents()).toEqual(['Not now'])
    await pressButton(plain, 'Not now')
    await expectBack(plain)
    await signIn(page, name)
    await expectBack(page)
    expect(await passkeys()).toBe(0)
  })

  it("is postponed if the user cancels the browser's dialog", async () => {
    const { page, authenticator } = await openBrowser()
    const name = await tenant.registeredName()
    await signIn(page, name)
    await offerOf(page)
    await authenticator?.verifies(false)
    await pressButton(page, 'Create a passkey')
    await expectBack(page)
    await signIn(page, name)
    await expectBack(page)
  })

  // The page continues in the same way after the dialog was cancelled.
  inExhaustiveRun('lets the user continue if the server fails to store the passkey', async () => {
    const { page } = await openBrowser()
    const name = await tenant.registeredName()
    await signIn(page, name)
    await offerOf(page)
    await page.route('**/api/interaction/passkeys', (route) => route.fulfill({ status: 500, json: {} }))
    await pressButton(page, 'Create a passkey')
    await expectBack(page)
    expect(await passkeysOf(name)).toEqual([])
  })

  it('is not shown in a browser without an authenticator', async () => {
    const { page } = await openBrowser({ hasAuthenticator: false })
    await signIn(page, await tenant.registeredName())
    await expectBack(page)
  })
})

/** Stubs a browser that has filled in the password and creates the passkey without prompting. */
function fillsIn() {
  const { create } = CredentialsContainer.prototype
  Object.assign(PublicKeyCredential, {
    isConditionalMediationAvailable: async () => false,
    getClientCapabilities: async () => ({ conditionalCreate: true }),
  })
  CredentialsContainer.prototype.create = function (
    options: CredentialCreationOptions & { mediation?: string } = {},
  ) {
    const { mediation, ...usual } = options
    return mediation === 'conditional' ? create.call(this, usual) : Promise.reject(new Error('not asked for'))
  }
}

/** Chromium reports that it creates passkeys without prompting, but does not respond with a virtual authenticator. */
function withoutMediation() {
  Object.assign(PublicKeyCredential, {
    isConditionalMediationAvailable: async () => false,
    getClientCapabilities: async () => ({ conditionalCreate: true }),
  })
}

/** Stubs a browser that does not respond until the request is aborted. */
function neverAnswers() {
  Object.assign(PublicKeyCredential, {
    isConditionalMediationAvailable: async () => false,
    getClientCapabilities: async () => ({ conditionalCreate: true }),
  })
  CredentialsContainer.prototype.create = (options: CredentialCreationOptions = {}) =>
    new Promise((_, reject) => {
      const began = performance.now()
      options.signal?.addEventListener('abort', () => {
        localStorage.setItem('waited', String(performance.now() - began))
        reject(options.signal?.reason)
      })
    })
}

describe('automatic passkey creation', () => {
  it('creates a passkey after a sign-in with a password, without a dialog', async () => {
    const { page, passkeys } = await openBrowser({ script: fillsIn })
    const name = await tenant.registeredName()
    await signIn(page, name)
    await expectBack(page)
    expect(await passkeys()).toBe(1)
    expect(await passkeysOf(name)).toHaveLength(1)
  })

  // tests/client/passkeys-after-submit.test.ts covers browsers that stay silent.
  inExhaustiveRun(
    'delays the user briefly if the browser stays silent, and then offers a passkey',
    async () => {
      const { page } = await openBrowser({ script: neverAnswers })
      await signIn(page, await tenant.registeredName())
      await offerOf(page)
      const waited = Number(await page.evaluate(() => localStorage.getItem('waited')))
      expect(waited).toBeLessThanOrEqual(700)
    },
  )

  // tests/client/passkeys-after-submit.test.ts covers what follows each response of the browser.
  inExhaustiveRun(
    'leads to a working offer in Chromium, which neither creates a passkey nor declines',
    async () => {
      const { page, passkeys } = await openBrowser({ script: withoutMediation })
      const name = await tenant.registeredName()
      await signIn(page, name)
      await offerOf(page)
      await pressButton(page, 'Create a passkey')
      await expectBack(page)
      expect(await passkeys()).toBe(1)
      expect(await passkeysOf(name)).toHaveLength(1)
    },
  )

  // tests/application/passkeys/passkey-offer.test.ts covers this rule.
  inExhaustiveRun('does not happen if the request requires a recent sign-in', async () => {
    const { page, passkeys } = await openBrowser({ script: fillsIn })
    await page.goto((await shop.authorizationUrl({ max_age: '600' })).url)
    await signInOnPage(page, await tenant.registeredName())
    await offerOf(page)
    expect(await passkeys()).toBe(0)
  })
})

describe('the browser after a sign-in', () => {
  it("receives signals with the user's remaining passkeys and current name", async () => {
    const { page } = await openBrowser()
    const name = await tenant.registeredName()
    await signIn(page, name)
    await offerOf(page)
    await forgetSignals(page)
    await pressButton(page, 'Create a passkey')
    await expectBack(page)
    const [passkey] = await passkeysOf(name)
    const [user] = await tenant.call<{ id: string }[]>('GET', `/users?search.username=${name}`)
    await tenant.call('DELETE', `/users/${user?.id}/passkeys/${passkey?.id}`)
    await tenant.call('PATCH', `/users/${user?.id}`, { name: 'Ann' })
    await signIn(page, name)
    await offerOf(page)
    const rpId = new URL(tenant.origin).hostname
    const userId = btoa(user?.id ?? '').replaceAll('=', '')
    expect(await signalsOf(page)).toEqual([
      { rpId, userId, allAcceptedCredentialIds: [] },
      { rpId, userId, name, displayName: 'Ann' },
    ])
  })

  inExhaustiveRun('receives no signals after a wrong password', async () => {
    const { page } = await openBrowser()
    await openFirstPage(page)
    await signInOnPage(page, await tenant.registeredName(), 'wrong-horse-8')
    await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor()
    expect(await signalsOf(page)).toEqual([])
  })
})
