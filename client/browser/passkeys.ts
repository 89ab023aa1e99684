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
import { answer, type CallOutcome, type InteractionApi } from '../api/api.ts'

/** Passkeys in this browser (spec/pages#passkeys), by a library that comes when the page is idle. */

/** With the domain that it was asked for. */
export type UsedPasskey = { assertion: PasskeyAssertion; rpId: string }

/** Of a form whose passkey was chosen in the identifier field: a `UsedPasskey` as JSON. */
export const PASSKEY_FIELD = 'passkey'

/** One request at a time: the library ends that of the field when the button asks, and the field waits again afterwards. */
let waitAgain: (() => Promise<void>) | undefined

/** A null value when the user or the browser declines, and on the server. */
export async function askForPasskey(api: InteractionApi): Promise<CallOutcome<UsedPasskey | null>> {
  if (!browserSupportsWebAuthn()) return { ok: true, value: null }
  const used = await ask(api, { useBrowserAutofill: false })
  if (used.ok && !used.value) waitInField()
  return used
}

/** The field offers passkeys once more: after the user declined, or the server refused the one that was chosen. */
export const waitInField = (): void => void waitAgain?.()

/** The identifier field of the first page offers the passkeys of the browser. The one that is chosen goes with the form of the button. */
export async function offerPasskeys(loadApi: () => Promise<InteractionApi>): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return
  waitAgain = async () => {
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
  await waitAgain()
}

async function ask(
  api: InteractionApi,
  { useBrowserAutofill }: { useBrowserAutofill: boolean },
): Promise<CallOutcome<UsedPasskey | null>> {
  const options = await answer<PasskeyOptions>(api.calls.verification['passkey-options'].$post())
  if (!options.ok) return options
  const optionsJSON = options.value
  try {
    const used = useBrowserAutofill ? null : await askAtOnce(optionsJSON)
    const { id, rawId, response } =
      used ??
      (await startAuthentication({
        optionsJSON,
        useBrowserAutofill,
        // The user may come to the page with the field later.
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

const WITHOUT_DIALOG = 1_000 // ms: nobody declines a dialog faster. Ours.

/**
 * In the immediate mode, which the library does not know: a list of the passkeys that this device has, or no dialog at all.
 * Null in a browser without it, and where there was none: then those of other devices are asked for. Rejects when the user
 * declines.
 */
async function askAtOnce(optionsJSON: RequestOptions) {
  if (!(await capabilities()).immediateGet) return null
  WebAuthnAbortService.cancelCeremony()
  const began = performance.now()
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(optionsJSON)
    const options = { publicKey, uiMode: 'immediate' } satisfies CredentialRequestOptions & { uiMode: string }
    const credential = (await navigator.credentials.get(options)) as PublicKeyCredential
    return credential.toJSON() as AuthenticationResponseJSON
  } catch (error) {
    if (performance.now() - began > WITHOUT_DIALOG) throw error
    return null
  }
}

/** WebAuthn §5.1.7; none in a browser from before. */
const capabilities = async (): Promise<PublicKeyCredentialClientCapabilities> =>
  (await PublicKeyCredential.getClientCapabilities?.()) ?? {}

/** What this browser can do about the passkeys of a user who signs in; nothing on the server. */
export async function abilitiesHere(): Promise<PasskeyAbility[]> {
  if (!browserSupportsWebAuthn()) return []
  const { conditionalCreate } = await capabilities()
  const can: Record<PasskeyAbility, boolean | undefined> = {
    conditional: conditionalCreate,
    offer: await platformAuthenticatorIsAvailable(),
    signals: 'signalAllAcceptedCredentials' in PublicKeyCredential,
  }
  return passkeyAbilities.filter((ability) => can[ability])
}

/** Which passkeys the user still has, and under which names: of a user who has just signed in. */
export async function tellBrowser({
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

const SIGNAL_LIMIT = 200 // ms: they are handed over, not answered. Ours.

/** No user has this passkey, so the browser need not offer it again. Not every browser listens. */
export async function forgetUnknownPasskey({ assertion, rpId }: UsedPasskey): Promise<void> {
  try {
    await sendSignal({ signalName: 'unknownCredential', rpID: rpId, credentialID: assertion.id })
  } catch {
    // It offers the passkey again, and the server refuses it again.
  }
}
