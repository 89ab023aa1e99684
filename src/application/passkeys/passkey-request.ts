import { CEREMONY_TIMEOUT } from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { newChallenge, signInLabel } from './passkey-challenge.ts'

type SignInCall = Pick<InteractionCall, 'tenantId' | 'open' | 'experience'>

/** What a browser asks its user for. Needs neither the database nor the library (spec/accounts#passkey-challenges). */
export async function passkeyRequest(
  dependencies: Pick<Dependencies, 'seals' | 'now' | 'tenantSettings'>,
  { tenantId, open, experience }: SignInCall,
) {
  const { passkeys } = await dependencies.tenantSettings.get(tenantId)
  if (!(await experience()).passkeys || passkeys.rpId === null)
    return refuseWith('user.sign_in_method_not_enabled')
  return {
    challenge: await newChallenge(dependencies, signInLabel(tenantId, open.uid)),
    rpId: passkeys.rpId,
    timeout: CEREMONY_TIMEOUT,
    userVerification: 'required' as const,
  }
}
