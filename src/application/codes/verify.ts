import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import {
  refusesVerificationCode,
  sentAt,
  type VerifiedAddress,
} from '../../domain/codes/verification-codes.ts'
import { asciiLowerCase } from '../../domain/interactions/accounts.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { readTogether } from '../../storage/batches.ts'
import { codeAttempt } from '../../storage/codes/code-attempts.ts'
import {
  type VerificationCodeOwner,
  verificationCodeAttempt,
} from '../../storage/codes/verification-codes.ts'
import { newVerification } from '../../storage/codes/verification-statuses.ts'
import { commitChange } from '../../storage/commit.ts'
import { markVerified } from '../../storage/users/user-changes.ts'
import { isUnrevoked, type UserRow } from '../../storage/users/users.ts'
import { type CountedAttempt, refundAttempts, type VerificationDependencies } from '../attempts.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireCredentialAccess } from '../sessions/step-up.ts'

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
  const tried = await verificationCodeAttempt(seals, tenantId, { owner, address, code, now: at })
  const { row, found } = await open.rowAnd(codeAttempt(db, tenantId, tried, given))
  const {
    consumed,
    attempt: [checked],
  } = found

  return {
    row,
    async prove() {
      audit.begin(`Interaction.${event}.Identifier.VerificationCode.Submit`, {}, { isCounted: true })
      orRefuse(refusesAttempts(consumed, at))
      const refusal = refusesVerificationCode(checked, address, at)
      // As for passwords: only a wrong code stays counted.
      if (!refusal)
        background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted' }))
      orRefuse(refusal)
      return { kind: address.type, value: address.value, provenAt: sentAt(checked) }
    },
  }
}

type CodeDependencies = Pick<Dependencies, 'db' | 'seals' | 'now' | 'settings' | 'tenantSettings'>

type CodeVerification = {
  tenantId: string
  signedIn: SignedInUser
  address: VerifiedAddress
  code: string
  audit: AuditEntry
  background(task: () => Promise<unknown>): void
}

/** With a code that was sent to the user's own address the password may be changed for ten minutes. */
export async function verifyOwnCode(
  dependencies: CodeDependencies,
  { tenantId, signedIn, address, code, audit, background }: CodeVerification,
): Promise<void> {
  requireCredentialAccess(signedIn)
  const { user, token } = signedIn
  const { db } = dependencies
  await spendCode(dependencies, { tenantId, owner: { generic: address }, address, code, background })

  const owner = { tenantId, userId: user.id, grantId: token.grantId }
  const isKnown = address.type === 'email' ? user.emailVerified : user.phoneVerified
  const condition = isUnrevoked(tenantId, user)
  await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: {
      ...newVerification(db, owner, { now: dependencies.now(), condition }),
      verified: isKnown ? undefined : markVerified(db, tenantId, user.id, { address, condition }),
    },
  })
}

/** The address as it is stored, in any letter case: a code belongs to the stored one. Refuses an address of another account. */
export function ownAddress(user: UserRow, given: { email: string } | { phone: string }): VerifiedAddress {
  if ('phone' in given) {
    if (given.phone !== user.primaryPhone) refuseWith('verification_code.phone_mismatch')
    return { type: 'phone', value: given.phone }
  }
  const { primaryEmail } = user
  if (primaryEmail === null || asciiLowerCase(primaryEmail) !== asciiLowerCase(given.email))
    return refuseWith('verification_code.email_mismatch')
  return { type: 'email', value: primaryEmail }
}

type CodeUse = {
  tenantId: string
  owner: VerificationCodeOwner
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
  const tried = await verificationCodeAttempt(seals, tenantId, { owner, address, code, now })
  const given = { limits, environment: settings.environment, now }
  const { consumed, attempt } = await readTogether(db, codeAttempt(db, tenantId, tried, given))
  orRefuse(refusesAttempts(consumed, now))
  orRefuse(refusesVerificationCode(attempt[0], address, now))
  background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted' }))
}
