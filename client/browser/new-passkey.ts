import { startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser'
import type { PasskeyCreation } from '../../src/contract/passkeys/passkeys.ts'
import { answer, type InteractionApi } from '../api/api.ts'

/** A passkey for the user who has just signed in (spec/pages#passkey-offer), by a library that comes when it is used. */

type Outcome = 'made' | 'declined' | 'failed'
type Options = Parameters<typeof startRegistration>[0]['optionsJSON']

/** `declined` by the user, or by the browser in place of the user. */
export async function makePasskey(
  { calls }: Pick<InteractionApi, 'calls'>,
  creation: PasskeyCreation,
  limit?: AbortSignal,
): Promise<Outcome> {
  if (limit?.aborted) return 'failed'
  const options = await answer<Options>(calls.passkeys.options.$post({ json: { creation } }))
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
    // The browser has it now: the server is to know it also when this page is left.
    const stored = await answer<null>(calls.passkeys.$post({ json }, { init: { keepalive: true } }))
    return stored.ok ? 'made' : 'failed'
  } catch (error) {
    return error instanceof Error && error.name === 'NotAllowedError' ? 'declined' : 'failed'
  }
}

/** Without a question, by conditional mediation, until the user has waited long enough. */
export async function makeSilently(api: Pick<InteractionApi, 'calls'>, limit: AbortSignal): Promise<Outcome> {
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  limit.addEventListener('abort', cancel)
  const outcome = await makePasskey(api, 'conditional', limit)
  limit.removeEventListener('abort', cancel)
  return outcome
}
