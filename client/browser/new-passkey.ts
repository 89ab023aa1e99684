import { startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser'
import type { PasskeyCreation } from '../../src/contract/passkeys/passkeys.ts'
import { type InteractionApi, readOutcome } from '../api/api.ts'

/**
 * Creates passkeys for users who have just signed in (spec/pages#passkey-offer), with a library that is loaded on
 * demand.
 */

type Outcome = 'created' | 'declined' | 'failed'
type Options = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Creates a passkey. The result `declined` means that the user declined, or the browser on the user's behalf. */
export async function createPasskey(
  { calls }: Pick<InteractionApi, 'calls'>,
  creation: PasskeyCreation,
  limit?: AbortSignal,
): Promise<Outcome> {
  if (limit?.aborted) return 'failed'
  const options = await readOutcome<Options>(calls.passkeys.options.$post({ json: { creation } }))
  if (!options.ok || limit?.aborted) return 'failed'
  try {
    const { id, rawId, response } = await startRegistration({
      optionsJSON: options.value,
      useAutoRegister: creation === 'conditional',
    })
    const { clientDataJSON, attestationObject, transports } = response
    const json = {
      id,
      rawId,
      type: 'public-key' as const,
      response: { clientDataJSON, attestationObject, transports },
    }
    // The passkey now exists in the browser, so the server must store it even if the user leaves this page.
    const stored = await readOutcome<null>(calls.passkeys.$post({ json }, { init: { keepalive: true } }))
    return stored.ok ? 'created' : 'failed'
  } catch (error) {
    return error instanceof Error && error.name === 'NotAllowedError' ? 'declined' : 'failed'
  }
}

/** Creates a passkey through conditional mediation, which does not prompt the user. Stops when `limit` aborts. */
export async function createPasskeySilently(
  api: Pick<InteractionApi, 'calls'>,
  limit: AbortSignal,
): Promise<Outcome> {
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  limit.addEventListener('abort', cancel)
  const outcome = await createPasskey(api, 'conditional', limit)
  limit.removeEventListener('abort', cancel)
  return outcome
}
