import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import { orRefuse } from '../../contract/refused.ts'
import { refusesPasscode, sentAt, type VerifiedAddress } from '../../domain/codes/passcodes.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { codeAttempt } from '../../storage/codes/code-attempts.ts'
import { passcodeAttempt } from '../../storage/codes/passcodes.ts'
import type { CountedAttempt, VerificationDependencies } from '../counted-attempt.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { refundAttempts } from '../refund-attempts.ts'

type CodeAttempt = { event: InteractionEvent; address: VerifiedAddress; code: string }

/** Counted in the round trip that reads the interaction (spec/accounts#code-try-limits). */
export async function attemptCode(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { event, address, code }: CodeAttempt,
): Promise<CountedAttempt> {
  const { open, tenantId, audit, background } = call
  const { db, seals, settings, tenantSettings } = dependencies
  const at = dependencies.now()
  const { limits } = await tenantSettings.get(tenantId)
  const browser = { trusted: await call.trustedBrowser(), name: { by: address.type, value: address.value } }
  const given = { limits, environment: settings.environment, browser, now: at }
  const owner = { uid: open.uid, type: event }
  const tried = await passcodeAttempt(seals, tenantId, { owner, address, code, now: at })
  const { row, found } = await open.rowAnd(codeAttempt(db, tenantId, tried, given))
  const {
    consumed,
    attempt: [passcode],
  } = found

  return {
    row,
    async prove() {
      audit.begin(`Interaction.${event}.Identifier.VerificationCode.Submit`, {}, { isCounted: true })
      orRefuse(refusesAttempts(consumed, at))
      const refusal = refusesPasscode(passcode, address, at)
      // As for passwords: only a wrong code stays counted.
      if (!refusal)
        background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted' }))
      orRefuse(refusal)
      return { kind: address.type, value: address.value, provenAt: sentAt(passcode) }
    },
  }
}
