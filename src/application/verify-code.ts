import type { InteractionEvent } from '../contract/identifiers.ts'
import { orRefuse } from '../contract/refused.ts'
import { refusesConsumption } from '../domain/limits.ts'
import { type Address, refusesPasscode } from '../domain/passcodes.ts'
import { refundAttempt } from '../storage/counters.ts'
import { passcodeAttempt } from '../storage/passcodes.ts'
import { codeAttempt } from '../storage/rate-limits.ts'
import type { CountedAttempt, VerificationDependencies } from './counted-attempt.ts'
import type { InteractionCall } from './interaction-call.ts'

type CodeAttempt = { event: InteractionEvent; address: Address; code: string }

/** Counted in the round trip that reads the interaction (spec/accounts#code-try-limits). */
export async function attemptCode(
  { db, seals, now, tenantSettings }: VerificationDependencies,
  call: InteractionCall,
  { event, address, code }: CodeAttempt,
): Promise<CountedAttempt> {
  const { open, tenantId, audit, background } = call
  const at = now()
  const { limits } = await tenantSettings.get(tenantId)
  const browser = await call.trustedBrowser()
  const owner = { uid: open.uid, type: event }
  const tried = await passcodeAttempt(seals, tenantId, { owner, address, code, now: at })
  const { row, found } = await open.rowAnd(codeAttempt(db, tenantId, { tried, limits, browser, now: at }))
  const {
    byAddress: [byAddress],
    attempt: [passcode],
  } = found

  return {
    row,
    async prove() {
      audit.begin(`Interaction.${event}.Identifier.VerificationCode.Submit`)
      orRefuse(refusesConsumption(byAddress, limits.codeTriesPerAddress, at))
      const refusal = refusesPasscode(passcode, address, at)
      // As for passwords: only a wrong code stays counted.
      if (byAddress && !refusal) {
        background(async () => refundAttempt(db, tenantId, byAddress, limits.codeTriesPerAddress))
      }
      orRefuse(refusal)
      return { kind: address.type, value: address.value }
    },
  }
}
