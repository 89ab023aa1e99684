import type { FactorPayload } from '../../contract/interactions/identifiers.ts'
import { orRefuse } from '../../contract/refused.ts'
import { refusesPasscode, sentAt } from '../../domain/codes/passcodes.ts'
import { addProof } from '../../domain/interactions/interaction.ts'
import { attemptPasscode, factorCodeOwner, passcodeAttempt } from '../../storage/codes/passcodes.ts'
import type { VerificationDependencies } from '../counted-attempt.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { refundAttempts } from '../refund-attempts.ts'
import { readFactorAddress } from './factor-address.ts'

type SentCode = Extract<FactorPayload, { emailCode: string } | { phoneCode: string }>

/** The second round trip uses the code, whose digest names the address that the first has read. */
export async function proveSentCode(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  payload: SentCode,
): Promise<void> {
  const { db, seals } = dependencies
  const { tenantId, open, background } = call
  const [channel, code] =
    'emailCode' in payload ? (['email', payload.emailCode] as const) : (['phone', payload.phoneCode] as const)
  const { before, userId, address, now, consumed } = await readFactorAddress(dependencies, call, {
    channel,
    entry: 'Submit',
    counts: (id) => [{ limit: `${channel}FactorTries`, id }],
  })
  const owner = factorCodeOwner(open.uid, channel)
  const tried = await passcodeAttempt(seals, tenantId, { owner, address, code, now })
  const [passcode] = await attemptPasscode(db, tenantId, tried)
  orRefuse(refusesPasscode(passcode, address, now))
  // Only a wrong code stays counted.
  background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted' }))
  await open.save(addProof(before, { kind: `${channel}Factor`, userId, provenAt: sentAt(passcode) }))
}
