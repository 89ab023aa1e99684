import { CEREMONY_TIMEOUT } from '../../contract/passkeys/passkeys.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { Dependencies } from '../dependencies.ts'
import { factorCall } from '../factors/factor-call.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { newChallenge, secondFactorLabel } from './passkey-challenge.ts'
import { domainOf } from './passkey-creation.ts'

/** For a passkey or a security key of the pinned account; a touch is enough (spec/accounts#security-keys). */
export async function securityKeyRequest(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'seals' | 'settings' | 'tenantSettings'>,
  call: InteractionCall,
) {
  const { tenantId, open } = call
  const { owner, policies, ownerIn } = await factorCall(dependencies, call, 'passkey')
  const { row, found } = await open.rowAnd({
    ...policies,
    keys: owner ? passkeysQuery(dependencies.db, tenantId, owner.userId) : undefined,
  })
  ownerIn(await open.record(row), row, found)
  return {
    challenge: await newChallenge(dependencies, secondFactorLabel(tenantId, open.uid)),
    rpId: await domainOf(dependencies, tenantId),
    timeout: CEREMONY_TIMEOUT,
    userVerification: 'discouraged' as const,
    allowCredentials: found.keys.map(({ id, transports }) => ({
      id,
      type: 'public-key' as const,
      transports,
    })),
  }
}
