import type { Page, Route } from 'playwright'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  desktopOptions,
  hasScript,
  inExhaustiveRun,
  openPage,
  savePicture,
  scripted,
  scriptless,
  someOf,
  withoutScript,
} from '../browser.ts'
import { expectSound, untilHydrated } from '../inspection.ts'
import { pressOn } from '../keyboard.ts'
import { forgetInteraction, passwordField, pressButton, signInOnPage, typeCode } from '../steps.ts'
import { openTenant, type Tenant } from '../tenant.ts'
import {
  Authenticator,
  callAccount,
  createPasskey,
  forgetSignals,
  openPasskeyBrowser,
  rememberSignals,
  signalsOf,
  withoutAutofill,
  withPasskeys,
} from './virtual-authenticator.ts'

/** Tests passkeys in Chromium with virtual authenticators (spec/accounts#passkeys, spec/pages#passkeys). */
const tenant = await withPasskeys()
const other = await withPasskeys()
/** A separate tenant for the test that changes the sign-in methods. */
const codes = await withPasskeys()
const shop = await tenant.openApplication('Shop')

// Most tests of the exhaustive run are about rules of the server, which `npm test` checks with a software authenticator
// (tests/application/passkeys, tests/api/passkeys). The tests of two tabs and of
// the errors of browsers have no faster counterpart.

const BUTTON = 'Sign in with a passkey'
const NOT_USED = /^No passkey was used\./
const NOT_VERIFIED = /^We couldn’t verify the passkey\./
const UNKNOWN = /^This passkey no longer works here\./

type Device = Parameters<typeof Authenticator.plugInto>[1] & { hasAutofill?: boolean }

/**
 * Opens a browser, by default without autofill, because a virtual authenticator immediately accepts whatever
 * a field offers.
 */
async function openBrowser({ hasAutofill = false, ...more }: Device = {}) {
  if (!hasAutofill && Object.keys(more).length === 0) return openPasskeyBrowser()
  const { page, complaints } = await openPage()
  page.setDefaultTimeout(8_000)
  await rememberSignals(page)
  if (!hasAutofill) await page.addInitScript(withoutAutofill)
  return { page, complaints, authenticator: await Authenticator.plugInto(page, more) }
}

/** Opens the browser of a user who has a passkey. */
async function openWithPasskey(of: Tenant = tenant, device: Device = {}) {
  const opened = await openBrowser(device)
  return { ...opened, ...(await opened.authenticator.newUser(of)) }
}

/** Signs a user in to the demo application and creates a passkey there. */
async function makePasskey(of: Tenant = tenant) {
  const { page, authenticator, complaints } = await openBrowser()
  const name = await of.registeredName()
  await page.goto(`${of.origin}/demo-app`)
  await pressButton(page, 'Sign in')
  await signInOnPage(page, name)
  await page.waitForURL('**/demo-app**')
  await page.getByText(name).first().waitFor()
  const created = await createPasskey(page)
  expect(created).toMatchObject({ status: 200, body: { isBackupEligible: true } })
  const { id } = (created as { body: { id: string } }).body
  const [user] = await of.call<{ id: string }[]>('GET', `/users?search.username=${name}`)
  return { page, authenticator, id, userId: user?.id ?? '', complaints }
}

/** This function runs in the page. It records how the page last requested a credential from the browser. */
function rememberRequests() {
  const { get } = CredentialsContainer.prototype
  CredentialsContainer.prototype.get = function (options) {
    document.documentElement.dataset.asked = options?.mediation
    return get.call(this, options)
  }
}

/**
 * Stubs a browser with immediate mediation. The stub records its requests and reports them in later calls.
 */
function immediately() {
  const { get } = CredentialsContainer.prototype
  const uiModes: unknown[] = []
  Object.assign(PublicKeyCredential, { getClientCapabilities: async () => ({ immediateGet: true }) })
  CredentialsContainer.prototype.get = async function (
    options: CredentialRequestOptions & { uiMode?: string } = {},
  ) {
    const { uiMode, ...usual } = options
    uiModes.push(uiMode ?? null)
    if (uiMode && sessionStorage.getItem('isHere') === 'false')
      throw new DOMException('none here', 'NotAllowedError')
    return get.call(this, usual)
  }
  const { fetch } = window
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-asked', JSON.stringify(uiModes))
    return fetch(input, { ...init, headers })
  }
}

/**
 * Starts a new authorization request of the application with the user signed out, and opens its first page.
 */
async function openFirstPage(page: Page): Promise<void> {
  await page.context().clearCookies()
  const { url } = await shop.authorizationUrl()
  await page.goto(url)
  await page.getByRole('button', { name: BUTTON }).waitFor()
  await forgetSignals(page)
}

async function expectSignedIn(page: Page): Promise<void> {
  await page.waitForURL(`${shop.callback}**`)
  expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
}

describe('a passkey', () => {
  it('signs the user in with the button, in two requests', async () => {
    const { page, complaints } = await makePasskey()
    await openFirstPage(page)
    await untilHydrated(page)
    const requests: string[] = []
    page.on('request', (request) => {
      if (/\/(?:api|oidc)\//.test(request.url()))
        requests.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    await pressOn(page, BUTTON)
    await expectSignedIn(page)
    expect(requests.filter((request) => !request.endsWith('/passkey-options'))).toEqual([
      'PUT /api/interaction',
      'POST /api/interaction/submit',
    ])
    expect(complaints).toEqual([])
  })

  it('signs a returning user in on the page that welcomes them, also after an attempt without it', async () => {
    const { page, authenticator } = await openWithPasskey()
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await expectSignedIn(page)
    await page.context().clearCookies({ name: /_session/ })
    await page.goto((await shop.authorizationUrl()).url)
    await page.getByText('Welcome back').waitFor()
    await authenticator.verifies(false)
    await pressButton(page, `${BUTTON} Last used`)
    await page.getByRole('alert').getByText(NOT_USED).waitFor()
    await expectSound(page)
    await authenticator.verifies(true)
    await pressButton(page, `${BUTTON} Last used`)
    await expectSignedIn(page)
  })

  it('can be replaced by the password on that page, which has no passkey button without JavaScript', async () => {
    const { page, authenticator } = await openWithPasskey()
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await expectSignedIn(page)
    await authenticator.verifies(false)
    for (const { options } of [scripted, scriptless]) {
      const { page: visit, context } = await openPage(options)
      await context.addCookies(await page.context().cookies())
      await context.clearCookies({ name: /_session/ })
      await visit.goto((await shop.authorizationUrl()).url)
      await visit.getByText('Welcome back').waitFor()
      expect(await visit.getByRole('button', { name: BUTTON }).count()).toBe(hasScript(visit) ? 1 : 0)
      await pressButton(visit, 'Use password instead')
      await passwordField(visit).fill(PASSWORD)
      await pressButton(visit, 'Sign in')
      await expectSignedIn(visit)
    }
  })

  it('signs the user in by autofill in the identifier field, even after a rejected attempt', async () => {
    const { page } = await openWithPasskey(tenant, { hasAutofill: true })
    const refused = page.waitForResponse('**/api/interaction')
    await page.route('**/api/interaction', spoil(withOtherSignature), { times: 1 })
    await page.context().clearCookies()
    await page.goto((await shop.authorizationUrl()).url)
    expect((await refused).status()).toBe(422)
    await expectSignedIn(page)
  })

  it('signs the user in with the button while autofill is still pending', async () => {
    const { page, authenticator } = await openWithPasskey(tenant, { hasAutofill: true })
    await authenticator.answers(false)
    await page.addInitScript(rememberRequests)
    await openFirstPage(page)
    expect(await page.locator('#identifier').getAttribute('autocomplete')).toBe('username webauthn')
    await expectSound(page)
    await savePicture(page, 'passkeys')
    // The pending autofill request no longer gets a response.
    await page.waitForFunction(() => document.documentElement.dataset.asked === 'conditional')
    await authenticator.answers(true)
    await pressButton(page, BUTTON)
    await expectSignedIn(page)
  })

  inExhaustiveRun(
    'signs the user in from either of two tabs, each of which has its own challenge',
    async () => {
      const { page } = await openWithPasskey()
      await openFirstPage(page)
      const second = await page.context().newPage()
      await second.goto((await shop.authorizationUrl()).url)
      await second.getByRole('button', { name: BUTTON }).waitFor()
      await page.bringToFront()
      await pressButton(page, BUTTON)
      await expectSignedIn(page)
    },
  )

  inExhaustiveRun('requires user verification', async () => {
    const { page, authenticator } = await openWithPasskey()
    await openFirstPage(page)
    await authenticator.verifies(false)
    await pressButton(page, BUTTON)
    await page.getByRole('alert').getByText(NOT_USED).waitFor()
    await authenticator.verifies(true)
    await pressButton(page, BUTTON)
    await expectSignedIn(page)
  })

  inExhaustiveRun('is not offered at another tenant', async () => {
    const { page } = await openWithPasskey(other)
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await page.getByRole('alert').getByText(NOT_USED).waitFor()
  })

  inExhaustiveRun('is rejected if the interaction is over, and the user can start again', async () => {
    const { page } = await openWithPasskey()
    await openFirstPage(page)
    await page.waitForLoadState('networkidle')
    await forgetInteraction(page)
    await pressButton(page, BUTTON)
    await page.getByRole('heading', { name: 'This page has expired' }).waitFor()
    expect(await signalsOf(page)).toEqual([])
  })

  inExhaustiveRun('is rejected if it claims to belong to another user', async () => {
    const { page, authenticator } = await openWithPasskey()
    await authenticator.change({ userHandle: btoa('somebody') })
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await page.getByRole('alert').getByText(NOT_VERIFIED).waitFor()
    expect(await signalsOf(page)).toEqual([])
  })

  inExhaustiveRun('remains usable if it is no longer backed up, and is listed as not backed up', async () => {
    const { page, authenticator, userId, id } = await openWithPasskey()
    await authenticator.change({ backupState: false })
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await expectSignedIn(page)
    expect(await tenant.call('GET', `/users/${userId}/passkeys`)).toMatchObject([
      { id, isBackupEligible: true, isBackedUp: false },
    ])
  })

  inExhaustiveRun('is rejected if it was synced and becomes device-bound', async () => {
    const { page, authenticator } = await openWithPasskey()
    await authenticator.change({ backupEligibility: false, backupState: false })
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await page.getByRole('alert').getByText(NOT_VERIFIED).waitFor()
  })

  it('is first requested only from this device, and then from other devices if this one has none', async () => {
    const { page } = await openWithPasskey()
    await page.addInitScript(immediately)
    for (const [isHere, uiModes] of [
      [true, ['immediate']],
      [false, ['immediate', null]],
    ] as const) {
      await openFirstPage(page)
      await page.evaluate((here) => sessionStorage.setItem('isHere', String(here)), isHere)
      const answered = page.waitForRequest('**/api/interaction/submit')
      await pressButton(page, BUTTON)
      expect(JSON.parse((await answered).headers()['x-asked'] ?? '')).toEqual(uiModes)
      await expectSignedIn(page)
    }
  })

  inExhaustiveRun('is rejected and audited if its signature counter indicates a cloned device', async () => {
    const { page, authenticator, userId } = await openWithPasskey(tenant, { isSynced: false })
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await expectSignedIn(page)
    await authenticator.countFrom(0)
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await page.getByRole('alert').getByText(NOT_VERIFIED).waitFor()
    const logs = await tenant.call<{ payload: { result: string; error?: { data?: object } } }[]>(
      'GET',
      `/logs?userId=${userId}&logKey=Interaction.SignIn.Identifier.Passkey.Submit`,
    )
    expect(logs.find(({ payload }) => payload.result === 'Error')?.payload.error?.data).toEqual({
      reason: 'counter',
    })
    expect(await signalsOf(page)).toEqual([])
  })

  inExhaustiveRun('may repeat its signature counter if it is synced', async () => {
    const { page, authenticator } = await openWithPasskey()
    for (const count of [7, 7]) {
      await authenticator.countFrom(count)
      await openFirstPage(page)
      await pressButton(page, BUTTON)
      await expectSignedIn(page)
    }
  })
})

describe('creating a passkey', () => {
  inExhaustiveRun('works only once per authenticator', async () => {
    const { page, authenticator } = await makePasskey()
    expect(await createPasskey(page)).toEqual({ error: 'InvalidStateError' })
    expect(await authenticator.credentials()).toHaveLength(1)
    await authenticator.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: authenticator.id })
    await Authenticator.plugInto(page, { transport: 'usb', isSynced: false })
    expect(await createPasskey(page)).toMatchObject({ status: 200, body: { isBackupEligible: false } })
    const { body } = await callAccount(page, 'GET', '/passkeys')
    expect(body).toHaveLength(2)
  })

  inExhaustiveRun('requires user verification', async () => {
    const { page, authenticator } = await makePasskey()
    await authenticator.cdp.send('WebAuthn.clearCredentials', { authenticatorId: authenticator.id })
    await authenticator.verifies(false)
    expect(await createPasskey(page)).toEqual({ error: 'NotAllowedError' })
  })

  inExhaustiveRun(
    'can be undone by deleting the passkey if the user has another sign-in method',
    async () => {
      const { page, id } = await makePasskey()
      expect(await callAccount(page, 'DELETE', `/passkeys/${id}`)).toMatchObject({ status: 204 })
      expect(await callAccount(page, 'DELETE', `/passkeys/${id}`)).toMatchObject({ status: 404 })
    },
  )

  inExhaustiveRun(
    'cannot be undone if the passkey is the last sign-in method, but a verified address restores access',
    async () => {
      const { page, authenticator, id, userId } = await makePasskey(codes)
      await codes.offer({
        signIn: {
          methods: [
            { identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false },
          ],
        },
        signUp: { identifiers: ['email'], password: false, verify: true },
      })
      expect(await callAccount(page, 'DELETE', `/passkeys/${id}`)).toMatchObject({
        status: 422,
        body: { code: 'user.last_sign_in_method' },
      })
      const email = `${userId}@example.com`
      await codes.call('PATCH', `/users/${userId}`, { primaryEmail: email })
      await authenticator.cdp.send('WebAuthn.clearCredentials', { authenticatorId: authenticator.id })
      await page.context().clearCookies()
      await page.evaluate(() => sessionStorage.clear())
      await page.goto(`${codes.origin}/demo-app`)
      await pressButton(page, 'Sign in')
      await page.getByRole('textbox', { name: 'Email' }).fill(email)
      await pressButton(page, 'Continue')
      await page.waitForURL('**/verification-code?**')
      await typeCode(page, await codes.codeTo(email))
      await page.waitForURL('**/demo-app**')
      await page.getByText(email).first().waitFor()
      expect(await createPasskey(page)).toMatchObject({ status: 200 })
    },
  )
})

describe('the browser', () => {
  it('receives a signal that a passkey is unknown if no user has it', async () => {
    const { page, userId, id } = await openWithPasskey()
    await tenant.call('DELETE', `/users/${userId}/passkeys/${id}`)
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await page.getByRole('alert').getByText(UNKNOWN).waitFor()
    expect(await signalsOf(page)).toEqual([{ rpId: new URL(tenant.origin).hostname, credentialId: id }])
  })

  it('receives no signals about a suspended user', async () => {
    const { page, userId } = await openWithPasskey()
    await tenant.call('PATCH', `/users/${userId}/is-suspended`, { isSuspended: true })
    await openFirstPage(page)
    await pressButton(page, BUTTON)
    await page.getByRole('alert').getByText('This account is suspended. Contact support').waitFor()
    expect(await signalsOf(page)).toEqual([])
  })

  const spoiled = [
    ['a wrong signature', withOtherSignature],
    ['an invalid body', (body: Body) => ({ ...body.identifier.passkey.response, signature: '%' })],
  ] as const
  it.each(someOf(spoiled, 1))('receives no signals after %s', async (_, changed) => {
    const { page } = await openWithPasskey()
    await openFirstPage(page)
    await page.route('**/api/interaction', spoil(changed))
    const answered = page.waitForResponse('**/api/interaction')
    await pressButton(page, BUTTON)
    expect((await answered).status()).toBeGreaterThanOrEqual(400)
    await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor()
    expect(await signalsOf(page)).toEqual([])
  })
})

type Body = { identifier: { passkey: { response: Record<string, string> } } }

function withOtherSignature(body: Body) {
  return { ...body.identifier.passkey.response, signature: 'AAAA' }
}

function spoil(changed: (body: Body) => object) {
  return async (route: Route) => {
    const body = route.request().postDataJSON() as Body
    const { passkey } = body.identifier
    const identifier = { passkey: { ...passkey, response: changed(body) } }
    await route.continue({ postData: JSON.stringify({ ...body, identifier }) })
  }
}

describe('a passkey challenge', () => {
  inExhaustiveRun('cannot be used twice, even on the same page', async () => {
    const { page } = await openWithPasskey()
    await openFirstPage(page)
    const statuses: number[] = []
    await page.route('**/api/interaction', async (route) => {
      const first = await route.fetch()
      const again = await route.fetch()
      statuses.push(first.status(), again.status())
      await route.fulfill({ response: again })
    })
    await pressButton(page, BUTTON)
    await page.getByRole('alert').getByText(NOT_VERIFIED).waitFor()
    expect(statuses).toEqual([204, 422])
  })

  inExhaustiveRun('is rejected if it belongs to another interaction', async () => {
    const { page } = await openWithPasskey()
    await openFirstPage(page)
    const tab = await page.context().newPage()
    await tab.goto((await shop.authorizationUrl()).url)
    await tab.getByRole('button', { name: BUTTON }).waitFor()
    const uid = new URL(tab.url()).searchParams.get('interaction') ?? ''
    const options = await tab.evaluate(
      async (interaction) =>
        (
          await fetch('/api/interaction/verification/passkey-options', {
            method: 'POST',
            headers: { Interaction: interaction },
          })
        ).json(),
      uid,
    )
    await tab.close()
    await page.route('**/passkey-options', (route) => route.fulfill({ json: options }))
    await pressButton(page, BUTTON)
    await page.getByRole('alert').getByText(NOT_VERIFIED).waitFor()
  })
})

describe('the first page of a sign-in', () => {
  it('has no passkey button without JavaScript, but lets the user sign in with a password', async () => {
    const { page } = await openPage(withoutScript)
    const name = await tenant.registeredName()
    await page.goto((await shop.authorizationUrl()).url)
    expect(await page.getByRole('button', { name: BUTTON }).count()).toBe(0)
    expect(await page.getByText('or', { exact: true }).filter({ visible: true }).count()).toBe(0)
    await signInOnPage(page, name)
    await expectSignedIn(page)
  })

  it('has neither a passkey button nor its script if the tenant does not offer passkeys', async () => {
    const without = await openTenant()
    const application = await without.openApplication('Application')
    const { page } = await openPage(desktopOptions)
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    await page.goto((await application.authorizationUrl()).url)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('button', { name: BUTTON }).count()).toBe(0)
    expect(scripts.filter((url) => /passkey/.test(url))).toEqual([])
    expect(await page.locator('#identifier').getAttribute('autocomplete')).toBe('username')
  })
})
