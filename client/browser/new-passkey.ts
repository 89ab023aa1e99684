import { startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser'
import type { PasskeyAttestation, PasskeyCreation } from '../../src/contract/passkeys/passkeys.ts'
import { type InteractionApi, readOutcome } from '../api/api.ts'
import { forgetSilentRequest, recordSilentRequest } from './silent-creation.ts'

/**
 * Creates passkeys for users who have just signed in (spec/pages#passkey-offer), with a library that is loaded on
 * demand.
 */

/** The result `declined` means that the user declined, or the browser on the user's behalf. */
type Outcome =
  /** `name` is the name of the passkey provider, if it is known. */
  { kind: 'created'; name: string | null } | { kind: 'declined' } | { kind: 'failed' }
type Options = Parameters<typeof startRegistration>[0]['optionsJSON']
type Calls = Pick<InteractionApi, 'calls'>

/** Creates a passkey on the page that offers one. */
export async function createPasskey({ calls }: Calls): Promise<Outcome> {
  const optionsJSON = await fetchOptions(calls, 'offer')
  return optionsJSON ? create(calls, () => startRegistration({ optionsJSON })) : { kind: 'failed' }
}

/**
 * Creates a passkey through conditional mediation, which does not prompt the user. Gives up when `limit` aborts, and
 * calls `onMade` once the browser has created the passkey and only the server has to store it.
 */
export async function createPasskeySilently(
  { calls }: Calls,
  { limit, onMade }: { limit: AbortSignal; onMade: () => void },
): Promise<Outcome> {
  const optionsJSON = limit.aborted ? null : await fetchOptions(calls, 'conditional')
  if (!optionsJSON || limit.aborted) return { kind: 'failed' }
  limit.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony())
  return create(calls, async () => {
    recordSilentRequest(Date.now())
    try {
      const registration = await startRegistration({ optionsJSON, useAutoRegister: true })
      onMade()
      return registration
    } finally {
      if (!limit.aborted) forgetSilentRequest()
    }
  })
}

async function fetchOptions(calls: Calls['calls'], creation: PasskeyCreation): Promise<Options | null> {
  const options = await readOutcome<Options>(calls.passkeys.options.$post({ json: { creation } }))
  return options.ok ? options.value : null
}

async function create(
  calls: Calls['calls'],
  register: () => ReturnType<typeof startRegistration>,
): Promise<Outcome> {
  try {
    const { id, rawId, response } = await register()
    const { clientDataJSON, attestationObject, transports } = response
    const json: PasskeyAttestation = {
      id,
      rawId,
      type: 'public-key',
      response: { clientDataJSON, attestationObject, transports },
    }
    // The passkey now exists in the browser, so the server must store it even if the user leaves this page.
    const stored = await readOutcome<{ name: string | null }>(
      calls.passkeys.$post({ json }, { init: { keepalive: true } }),
    )
    return stored.ok ? { kind: 'created', ...stored.value } : { kind: 'failed' }
  } catch (error) {
    return { kind: error instanceof Error && error.name === 'NotAllowedError' ? 'declined' : 'failed' }
  }
}
