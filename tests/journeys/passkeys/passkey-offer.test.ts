import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { openPage, savePicture } from '../browser.ts'
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

/** Passkeys that are made when a user signs in, in Chromium (spec/pages#passkey-offer). */
const tenant = await withPasskeys({ offer: true })
const shop = await tenant.openApplication('Shop')

const TITLE = 'Sign in faster next time'

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

/** The first page of a new request of the application, for a user who is signed out. */
async function openFirstPage(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.goto((await shop.authorizationUrl()).url)
}

async function signIn(page: Page, name: string): Promise<void> {
  await openFirstPage(page)
  await signInOnPage(page, name)
}

/** The page of the offer, with its script. */
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

describe('the offer of a passkey', () => {
  it('after a sign-in makes one, with which its user signs in the next time', async () => {
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

  it('after a registration makes one', async () => {
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

  it('that is put off is not made again the next time', async () => {
    const { page, passkeys } = await openBrowser()
    const name = await tenant.registeredName()
    await signIn(page, name)
    await offerOf(page)
    // As it stands after a load, too.
    await page.reload()
    await pressButton(page, 'Not now')
    await expectBack(page)
    await signIn(page, name)
    await expectBack(page)
    expect(await passkeys()).toBe(0)
  })

  it('goes on when the dialog is cancelled, and counts as put off', async () => {
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

  it('goes on when the server does not keep it', async () => {
    const { page } = await openBrowser()
    const name = await tenant.registeredName()
    await signIn(page, name)
    await offerOf(page)
    await page.route('**/api/interaction/passkeys', (route) => route.fulfill({ status: 500, json: {} }))
    await pressButton(page, 'Create a passkey')
    await expectBack(page)
    expect(await passkeysOf(name)).toEqual([])
  })

  it('is not made to a browser without an authenticator', async () => {
    const { page } = await openBrowser({ hasAuthenticator: false })
    await signIn(page, await tenant.registeredName())
    await expectBack(page)
  })
})

/** A browser that has filled in the password: it makes the passkey without a question. */
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

/** One that does not answer until it is told to stop. */
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

describe('a passkey without a question', () => {
  it('is made after a password, and the user goes on', async () => {
    const { page, passkeys } = await openBrowser({ script: fillsIn })
    const name = await tenant.registeredName()
    await signIn(page, name)
    await expectBack(page)
    expect(await passkeys()).toBe(1)
    expect(await passkeysOf(name)).toHaveLength(1)
  })

  it('keeps nobody longer than a second and a half', async () => {
    const { page } = await openBrowser({ script: neverAnswers })
    await signIn(page, await tenant.registeredName())
    await expectBack(page)
    await page.goto(tenant.origin)
    const waited = Number(await page.evaluate(() => localStorage.getItem('waited')))
    expect(waited).toBeGreaterThan(500)
    expect(waited).toBeLessThanOrEqual(1_600)
  })

  it('is not made for a request that wants a recent proof', async () => {
    const { page, passkeys } = await openBrowser({ script: fillsIn })
    await page.goto((await shop.authorizationUrl({ max_age: '600' })).url)
    await signInOnPage(page, await tenant.registeredName())
    await offerOf(page)
    expect(await passkeys()).toBe(0)
  })
})

describe('the browser of a sign-in', () => {
  it('is told which passkeys are left and what the user is called now', async () => {
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

  it('is told nothing after a wrong password', async () => {
    const { page } = await openBrowser()
    await openFirstPage(page)
    await signInOnPage(page, await tenant.registeredName(), 'wrong-horse-8')
    await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor()
    expect(await signalsOf(page)).toEqual([])
  })
})
