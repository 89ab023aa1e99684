import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  platformAuthenticatorIsAvailable,
  sendSignal,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import {
  type AcceptedPasskeys,
  type PasskeyAbility,
  type PasskeyAssertion,
  passkeyAbilities,
} from '../../src/contract/passkeys/passkeys.ts'
import { type CallOutcome, type InteractionApi, readOutcome } from '../api/api.ts'

/** Passkeys in this browser (spec/pages#passkeys), with a library that is loaded when the page is idle. */

/** A passkey that the user has chosen, and the domain for which it was requested. */
export type UsedPasskey = { assertion: PasskeyAssertion; rpId: string }

/** The form field for a passkey that was chosen in the identifier field: a `UsedPasskey` as JSON. */
export const PASSKEY_FIELD = 'passkey'

/**
 * Starts the request of the identifier field again. Only one request can run, so the library ends it when the button
 * starts another.
 */
let restartOffer: (() => Promise<void>) | undefined

/** Asks for a passkey. The value is null if the user or the browser declines, and on the server. */
export async function askForPasskey(api: InteractionApi): Promise<CallOutcome<UsedPasskey | null>> {
  if (!browserSupportsWebAuthn()) return { ok: true, value: null }
  const used = await ask(api, { useBrowserAutofill: false })
  if (used.ok && !used.value) offerPasskeysAgain()
  return used
}

/** Offers passkeys in the field once more, after the user has declined or the server has rejected the chosen one. */
export const offerPasskeysAgain = (): void => void restartOffer?.()

/**
 * Offers the browser's passkeys in the identifier field of the first page. The chosen one is sent with the form of
 * the button.
 */
export async function offerPasskeys(loadApi: () => Promise<InteractionApi>): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return
  restartOffer = async () => {
    const outcome = await ask(await loadApi(), { useBrowserAutofill: true })
    const used = outcome.ok ? outcome.value : null
    const form = document.querySelector<HTMLInputElement>('input[value="passkey"]')?.form
    if (!used || !form) return
    const field = Object.assign(document.createElement('input'), { type: 'hidden', name: PASSKEY_FIELD })
    field.value = JSON.stringify(used)
    form.append(field)
    form.requestSubmit()
    field.remove()
  }
  await restartOffer()
}

async function ask(
  api: InteractionApi,
  { useBrowserAutofill }: { useBrowserAutofill: boolean },
): Promise<CallOutcome<UsedPasskey | null>> {
  const options = await readOutcome<PasskeyOptions>(api.calls.verification['passkey-options'].$post())
  if (!options.ok) return options
  const optionsJSON = options.value
  try {
    const used = useBrowserAutofill ? null : await askAtOnce(optionsJSON)
    const { id, rawId, response } =
      used ??
      (await startAuthentication({
        optionsJSON,
        useBrowserAutofill,
        // The field may be rendered later, when the user comes to its page.
        verifyBrowserAutofillInput: false,
      }))
    const assertion: PasskeyAssertion = { id, rawId, type: 'public-key', response }
    return { ok: true, value: { assertion, rpId: optionsJSON.rpId } }
  } catch {
    return { ok: true, value: null }
  }
}

type PasskeyOptions = { challenge: string; rpId: string; timeout: number; userVerification: 'required' }
type RequestOptions = Parameters<typeof PublicKeyCredential.parseRequestOptionsFromJSON>[0]

const WITHOUT_DIALOG = 1_000 // ms: nobody declines a dialog faster. Our choice.

/**
 * Asks in immediate mode, which the library does not support: the browser lists the passkeys on this device, or shows
 * no dialog at all. Returns null if the browser lacks that mode or has no passkeys; the caller then also asks for
 * those on other devices. Rejects if the user declines.
 */
async function askAtOnce(optionsJSON: RequestOptions) {
  if (!(await capabilities()).immediateGet) return null
  WebAuthnAbortService.cancelCeremony()
  const startedAt = performance.now()
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(optionsJSON)
    const options = { publicKey, uiMode: 'immediate' } satisfies CredentialRequestOptions & { uiMode: string }
    const credential = (await navigator.credentials.get(options)) as PublicKeyCredential
    return credential.toJSON() as AuthenticationResponseJSON
  } catch (error) {
    if (performance.now() - startedAt > WITHOUT_DIALOG) throw error
    return null
  }
}

/** Returns the browser's capabilities (WebAuthn §5.1.7). An older browser reports none. */
const capabilities = async (): Promise<PublicKeyCredentialClientCapabilities> =>
  (await PublicKeyCredential.getClientCapabilities?.()) ?? {}

/** Returns what this browser can do with the passkeys of a user who signs in. The server can do nothing. */
export async function detectPasskeyAbilities(): Promise<PasskeyAbility[]> {
  if (!browserSupportsWebAuthn()) return []
  const { conditionalCreate } = await capabilities()
  const can: Record<PasskeyAbility, boolean | undefined> = {
    conditional: conditionalCreate,
    offer: await platformAuthenticatorIsAvailable(),
    signals: 'signalAllAcceptedCredentials' in PublicKeyCredential,
  }
  return passkeyAbilities.filter((ability) => can[ability])
}

/** Tells the browser which passkeys the user who has just signed in still has, and under which names. */
export async function signalAcceptedPasskeys({
  rpId: rpID,
  userId: userID,
  ...accepted
}: AcceptedPasskeys): Promise<void> {
  const signals = [
    sendSignal({
      signalName: 'allAcceptedCredentials',
      rpID,
      userID,
      allAcceptedCredentialIDs: accepted.credentialIds,
    }),
    sendSignal({
      signalName: 'currentUserDetails',
      rpID,
      userID,
      userName: accepted.name,
      userDisplayName: accepted.displayName,
    }),
  ]
  await Promise.race([Promise.allSettled(signals), new Promise((end) => setTimeout(end, SIGNAL_LIMIT))])
}

const SIGNAL_LIMIT = 200 // ms: the browser takes the signals and does not respond to them. Our choice.

/** Tells the browser that no user has this passkey, so that it need not offer it. Not every browser supports this. */
export async function forgetUnknownPasskey({ assertion, rpId }: UsedPasskey): Promise<void> {
  try {
    await sendSignal({ signalName: 'unknownCredential', rpID: rpId, credentialID: assertion.id })
  } catch {
    // The browser may offer the passkey again, and the server will reject it again.
  }
}
