import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'
import type { PasskeyAssertion } from '../../src/contract/passkeys/passkeys.ts'
import { type CallOutcome, type InteractionApi, readOutcome } from '../api/api.ts'

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']

/**
 * Asks for a security key. Returns null if the user or the browser declines, and on the server. This module is
 * loaded on demand.
 */
export async function requestSecurityKey({
  calls,
}: InteractionApi): Promise<CallOutcome<PasskeyAssertion> | null> {
  if (!browserSupportsWebAuthn()) return null
  const options = await readOutcome<Options>(calls.factors['passkey-options'].$post())
  if (!options.ok) return options
  try {
    const { id, rawId, response } = await startAuthentication({ optionsJSON: options.value })
    return { ok: true, value: { id, rawId, type: 'public-key', response } }
  } catch {
    return null
  }
}
