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
import { hasUnansweredRequest } from './silent-creation.ts'

/** Requests passkeys from the browser (spec/pages#passkeys), with a library that is loaded when the page is idle. */

/** A passkey assertion that the user approved, and the domain for which it was requested. */
export type UsedPasskey = { assertion: PasskeyAssertion; rpId: string }

/** The form field for a passkey that was selected in the identifier field: a `UsedPasskey` as JSON. */
export const PASSKEY_FIELD = 'passkey'

/**
 * Restarts the identifier field's request for a passkey. Only one request can be pending, so the library cancels
 * it when the passkey button starts another one.
 */
let restartOffer: (() => Promise<void>) | undefined

/**
 * Asks for a passkey. The value is null if the user or the browser declines, or if the browser does not support
 * passkeys.
 */
export async function requestPasskey(api: InteractionApi): Promise<CallOutcome<UsedPasskey | null>> {
  if (!browserSupportsWebAuthn()) return { ok: true, value: null }
  const used = await ask(api, { useBrowserAutofill: false })
  if (used.ok && !used.value) offerPasskeysAgain()
  return used
}

/**
 * Offers passkeys in the identifier field again, after the user declined or the server rejected the selected passkey.
 */
export const offerPasskeysAgain = (): void => void restartOffer?.()

/**
 * Offers the browser's passkeys in the identifier field of the first page. The selected one is submitted with the
 * form of the passkey button.
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
        // The field may be rendered later, when the user navigates to its page.
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

const WITHOUT_DIALOG = 1_000 // A faster rejection, in milliseconds, means that no dialog was shown. Our choice.

/**
 * Asks for a passkey in immediate mode, which the library does not support: the browser lists the passkeys on
 * this device, or shows no dialog at all. Returns null if the browser lacks this mode or has no passkeys; the
 * caller then also asks for passkeys on other devices. Rejects if the user declines.
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

/** Returns the browser's WebAuthn capabilities (WebAuthn §5.1.7). Older browsers report none. */
const capabilities = async (): Promise<PublicKeyCredentialClientCapabilities> =>
  (await PublicKeyCredential.getClientCapabilities?.()) ?? {}

/** Returns what this browser can do with a user's passkeys after sign-in. Empty on the server. */
export async function detectPasskeyAbilities(): Promise<PasskeyAbility[]> {
  if (!browserSupportsWebAuthn()) return []
  const { conditionalCreate } = await capabilities()
  const can: Record<PasskeyAbility, boolean | undefined> = {
    conditional: conditionalCreate && !hasUnansweredRequest(Date.now()),
    offer: await platformAuthenticatorIsAvailable(),
    signals: 'signalAllAcceptedCredentials' in PublicKeyCredential,
  }
  return passkeyAbilities.filter((ability) => can[ability])
}

/**
 * Signals to the browser which passkeys still belong to the user who has just signed in, and the user's current name.
 */
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

const SIGNAL_LIMIT = 200 // in milliseconds, because browsers may never settle the promise of a signal. Our choice.

/**
 * Signals to the browser that this passkey belongs to no user, so that the browser stops offering it. Not every
 * browser supports this.
 */
export async function signalUnknownPasskey({ assertion, rpId }: UsedPasskey): Promise<void> {
  try {
    await sendSignal({ signalName: 'unknownCredential', rpID: rpId, credentialID: assertion.id })
  } catch {
    // If the signal fails, the browser may offer the passkey again, and the server will reject it again.
  }
}
