import type { FactorPayload, IdentifierPayload } from '../../contract/interactions/identifiers.ts'
import type { VerificationDependencies } from '../counted-attempt.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { proveSecurityKey } from '../passkeys/prove-security-key.ts'
import { proveSentCode } from './prove-sent-code.ts'
import { proveKeptCode } from './second-factor.ts'

/** A second factor of the account that a submit has named (spec/interaction#second-factor). */
export function proveFactor(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  payload: FactorPayload,
): Promise<void> {
  if ('totpCode' in payload || 'backupCode' in payload) return proveKeptCode(dependencies, call, payload)
  if ('securityKey' in payload) return proveSecurityKey(dependencies, call, payload.securityKey)
  return proveSentCode(dependencies, call, payload)
}

const factorFields = ['totpCode', 'backupCode', 'emailCode', 'phoneCode', 'securityKey']

export const isFactorPayload = (payload: IdentifierPayload | FactorPayload): payload is FactorPayload =>
  factorFields.some((field) => field in payload)
