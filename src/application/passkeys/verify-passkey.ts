import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import type { PasskeyAssertion } from '../../contract/passkeys/passkeys.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { passkeyQuery } from '../../storage/passkeys/passkeys.ts'
import { consumeAttempts } from '../../storage/rate-limits.ts'
import type { CountedAttempt, VerificationDependencies } from '../counted-attempt.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { refundAttempts } from '../refund-attempts.ts'
import { acceptPasskey } from './accept-passkey.ts'

type PasskeyAttempt = { event: InteractionEvent; assertion: PasskeyAssertion }

/** One round trip reads the passkey beside the interaction, another records its use (spec/accounts#passkey-verification). */
export async function attemptPasskey(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { event, assertion }: PasskeyAttempt,
): Promise<CountedAttempt> {
  const { db, settings } = dependencies
  const { open, tenantId, ip, origin, audit, background } = call
  const { limits } = await dependencies.tenantSettings.get(tenantId)
  const now = dependencies.now()
  const { row, found } = await open.rowAnd({
    stored: passkeyQuery(db, tenantId, assertion.id),
    consumed: consumeAttempts(db, tenantId, [{ limit: 'passkeyTriesPerNetwork', ip }], {
      limits,
      environment: settings.environment,
      now,
    }),
  })
  const {
    stored: [passkey],
    consumed,
  } = found
  return {
    row,
    async prove() {
      const entry = audit.begin(`Interaction.${event}.Identifier.Passkey.Submit`, {}, { isCounted: true })
      orRefuse(refusesAttempts(consumed, now))
      if (!passkey) refuseWith('passkey.not_found')
      entry.add({ userId: passkey.userId, passkeyId: passkey.credentialId })
      const ceremony = { tenantId, uid: open.uid, origin, isSecondFactor: false }
      const proof = await acceptPasskey(dependencies, ceremony, { passkey, assertion, now })
      background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted' }))
      if (passkey.isSuspended) refuseWith('user.suspended')
      return proof
    },
  }
}
