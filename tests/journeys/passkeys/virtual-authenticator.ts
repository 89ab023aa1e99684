import type { CDPSession, Page } from 'playwright'
import { createPasskey as createSoftPasskey, FLAGS } from '../../kit/authenticator.ts'
import { newMember } from '../../kit/clients/account-client.ts'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { creationOptions } from '../../kit/clients/passkey-client.ts'
import { desktopOptions, openPage, type UserAgent } from '../browser.ts'
import type { Device } from '../reused-browsers.ts'
import { openTenant, type Tenant } from '../tenant.ts'

/** Opens a tenant whose users have passkeys on Chromium's virtual authenticators. */
export async function withPasskeys(more: { offer?: boolean } = {}): Promise<Tenant> {
  const made = await openTenant()
  await enablePasskeys(made, more)
  return made
}

export async function enablePasskeys(
  { call, origin }: Tenant,
  more: { offer?: boolean } = {},
): Promise<void> {
  const rpId = new URL(origin).hostname
  const passkeys = { enabled: true, rpId, manageUrl: null, offer: false, ...more }
  await call('PATCH', '/configs/settings', { passkeys })
}

type Credential = {
  credentialId: string
  signCount: number
  userHandle?: string
  backupEligibility?: boolean
  backupState?: boolean
}

export class Authenticator {
  private constructor(
    readonly cdp: CDPSession,
    readonly id: string,
    private readonly isSynced: boolean,
  ) {}

  /** Adds an authenticator to this device. A device-bound authenticator counts its signatures. */
  static async plugInto(page: Page, more: { isSynced?: boolean; transport?: 'internal' | 'usb' } = {}) {
    const { isSynced = true, transport = 'internal' } = more
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        defaultBackupEligibility: isSynced,
        defaultBackupState: isSynced,
      },
    })
    return new Authenticator(cdp, authenticatorId, isSynced)
  }

  /**
   * Creates a user with a passkey on this authenticator through the API. The pages of the demo application would take
   * ten times as long.
   */
  async newUser({ origin }: Tenant): Promise<{ userId: string; id: string }> {
    const ask = (path: string, init?: RequestInit) =>
      fetch(new URL(path, origin), { redirect: 'manual', ...init })
    const member = await newMember({ origin, fetch: ask })
    await member.call('POST', '/password/verify', { password: PASSWORD })
    const options = await creationOptions(member)
    const flags = this.isSynced ? FLAGS.synced : FLAGS.deviceBound
    const { attestation, passkey } = await createSoftPasskey(options, { origin, flags })
    const created = await member.call('POST', '/passkeys', attestation)
    if (!created.ok) throw new Error(`no passkey: ${created.status} ${await created.text()}`)
    await this.cdp.send('WebAuthn.addCredential', {
      authenticatorId: this.id,
      credential: {
        credentialId: Buffer.from(passkey.id, 'base64url').toString('base64'),
        isResidentCredential: true,
        rpId: options.rp.id,
        privateKey: await passkey.privateKey(),
        userHandle: Buffer.from(options.user.id, 'base64url').toString('base64'),
        signCount: 0,
        backupEligibility: this.isSynced,
        backupState: this.isSynced,
      },
    })
    return { userId: member.userId, id: passkey.id }
  }

  /** Restores the initial state of the authenticator. */
  async restore() {
    await this.cdp.send('WebAuthn.clearCredentials', { authenticatorId: this.id })
    await this.verifies(true)
    await this.answers(true)
  }

  async credentials(): Promise<Credential[]> {
    const { credentials } = await this.cdp.send('WebAuthn.getCredentials', { authenticatorId: this.id })
    return credentials
  }

  /** Sets whether the user passes verification, for example with a finger. */
  verifies(isUserVerified: boolean) {
    return this.cdp.send('WebAuthn.setUserVerified', { authenticatorId: this.id, isUserVerified })
  }

  /** Sets whether the user is present. */
  answers(enabled: boolean) {
    return this.cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: this.id, enabled })
  }

  /**
   * Sets the signature counter, in order to simulate a clone of the device from when its counter had this
   * value.
   */
  countFrom(signCount: number) {
    return this.change({ signCount })
  }

  /** Changes the properties that the authenticator reports about its passkey. */
  async change(more: Partial<Credential>) {
    const [credential] = (await this.cdp.send('WebAuthn.getCredentials', { authenticatorId: this.id }))
      .credentials
    if (!credential) throw new Error('nothing to copy')
    await this.cdp.send('WebAuthn.removeCredential', {
      authenticatorId: this.id,
      credentialId: credential.credentialId,
    })
    await this.cdp.send('WebAuthn.addCredential', {
      authenticatorId: this.id,
      credential: { ...credential, ...more },
    })
  }
}

/** Calls the account API from the demo application's page, with its access token. */
export async function callAccount(page: Page, method: string, path: string, body?: unknown) {
  return page.evaluate(
    async (request) => {
      const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:')) ?? ''
      const { access_token: token } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as {
        access_token: string
      }
      const response = await fetch(`/api/me${request.path}`, {
        method: request.method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      })
      return { status: response.status, body: response.status === 204 ? null : await response.json() }
    },
    { method, path, body },
  )
}

/**
 * Creates a passkey in the demo application. Returns the server's response or the name of the browser's
 * error.
 */
export async function createPasskey(page: Page) {
  const options = await callAccount(page, 'POST', '/passkeys/options')
  const created = await page.evaluate(async (creationOptions) => {
    try {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(creationOptions)
      const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
      return { credential: credential.toJSON() }
    } catch (error) {
      return { error: (error as Error).name }
    }
  }, options.body)
  if (created.error !== undefined) return { error: created.error }
  return callAccount(page, 'POST', '/passkeys', created.credential)
}

/** Records the passkey signals that the pages send to the browser. */
export async function rememberSignals(page: Page) {
  await page.addInitScript(() => {
    const remember = async (signal: unknown) => {
      const signals = JSON.parse(localStorage.getItem('signals') ?? '[]')
      localStorage.setItem('signals', JSON.stringify([...signals, signal]))
    }
    Object.assign(PublicKeyCredential, {
      signalUnknownCredential: remember,
      signalAllAcceptedCredentials: remember,
      signalCurrentUserDetails: remember,
    })
  })
}
export function withoutAutofill() {
  Object.assign(PublicKeyCredential, {
    isConditionalMediationAvailable: async () => false,
    getClientCapabilities: undefined,
  })
}

export const signalsOf = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('signals') ?? '[]'))

export const forgetSignals = (page: Page) => page.evaluate(() => localStorage.removeItem('signals'))

/** Opens a browser that has an authenticator but no autofill, and records the signals of its pages. */
export async function openPasskeyBrowser() {
  const client = await openPage(desktopOptions, passkeyDevice)
  return { ...client, authenticator: await pluggedInto(client) }
}

const plugged = new WeakMap<Page, Authenticator>()

async function pluggedInto({ page }: UserAgent): Promise<Authenticator> {
  const authenticator = plugged.get(page) ?? (await Authenticator.plugInto(page))
  plugged.set(page, authenticator)
  return authenticator
}

const passkeyDevice: Device = {
  name: 'passkeys',
  async prepare(client) {
    client.page.setDefaultTimeout(8_000)
    await rememberSignals(client.page)
    await client.page.addInitScript(withoutAutofill)
    await pluggedInto(client)
  },
  restore: async (client) => (await pluggedInto(client)).restore(),
}
