import type { IdentifierPayload, InteractionEvent } from '../../contract/interactions/identifiers.ts'
import type { VerifiedAddress } from '../../domain/codes/passcodes.ts'
import type { NameLookup } from '../../storage/rate-limits.ts'
import { attemptCode } from '../codes/verify-code.ts'
import type { CountedAttempt, VerificationDependencies } from '../counted-attempt.ts'
import { attemptPasskey } from '../passkeys/verify-passkey.ts'
import { attemptPassword } from '../passwords/verify-password.ts'
import { attemptSocial, attemptSocialAddress } from '../social/verify-social.ts'
import type { InteractionCall } from './interaction-call.ts'
import { withProofLimit } from './proof-limit.ts'

/** An identifier to be proved, as part of an event. */
type VerificationAttempt = { payload: IdentifierPayload; event: InteractionEvent }

/** Proves one identifier, counted in the round trip that reads the interaction (spec/interaction#verification). */
export const attemptVerification = async (
  dependencies: VerificationDependencies,
  call: InteractionCall,
  attempt: VerificationAttempt,
): Promise<CountedAttempt> =>
  withProofLimit(dependencies, call, await attemptByKind(dependencies, call, attempt))

function attemptByKind(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { payload, event }: VerificationAttempt,
): Promise<CountedAttempt> {
  if ('password' in payload) {
    return attemptPassword(dependencies, call, { event, name: nameIn(payload), password: payload.password })
  }
  if ('verificationCode' in payload) {
    const { verificationCode: code } = payload
    return attemptCode(dependencies, call, { event, address: addressIn(payload), code })
  }
  if ('passkey' in payload) return attemptPasskey(dependencies, call, { event, assertion: payload.passkey })
  if ('connectorData' in payload) return attemptSocial(dependencies, call, payload)
  return attemptSocialAddress(call, payload)
}

function nameIn(payload: Extract<IdentifierPayload, { password: string }>): NameLookup {
  if ('username' in payload) return { by: 'username', value: payload.username }
  if ('email' in payload) return { by: 'email', value: payload.email }
  return { by: 'phone', value: payload.phone }
}

/** Of a payload with an e-mail address or a phone number. */
export function addressIn(payload: { email: string } | { phone: string }): VerifiedAddress {
  return 'email' in payload
    ? { type: 'email', value: payload.email }
    : { type: 'phone', value: payload.phone }
}
