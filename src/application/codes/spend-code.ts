import { orRefuse } from '../../contract/refused.ts'
import { refusesPasscode, type VerifiedAddress } from '../../domain/codes/passcodes.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { readTogether } from '../../storage/batches.ts'
import { codeAttempt } from '../../storage/codes/code-attempts.ts'
import { type PasscodeOwner, passcodeAttempt } from '../../storage/codes/passcodes.ts'
import type { Dependencies } from '../dependencies.ts'
import { refundAttempts } from '../refund-attempts.ts'

type CodeUse = {
  tenantId: string
  owner: PasscodeOwner
  address: VerifiedAddress
  code: string
  background(task: () => Promise<unknown>): void
}

/** Uses up the code of a signed-in user, in one round trip; only a wrong one stays counted. */
export async function spendCode(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'now' | 'settings' | 'tenantSettings'>,
  { tenantId, owner, address, code, background }: CodeUse,
): Promise<void> {
  const { db, seals, settings } = dependencies
  const { limits } = await dependencies.tenantSettings.get(tenantId)
  const now = dependencies.now()
  const tried = await passcodeAttempt(seals, tenantId, { owner, address, code, now })
  const given = { limits, environment: settings.environment, now }
  const { consumed, attempt } = await readTogether(db, codeAttempt(db, tenantId, tried, given))
  orRefuse(refusesAttempts(consumed, now))
  orRefuse(refusesPasscode(attempt[0], address, now))
  background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted' }))
}
