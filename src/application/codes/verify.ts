import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import {
  checkVerificationCode,
  getCodeSentTime,
  type VerifiedAddress,
} from '../../domain/codes/verification-codes.ts'
import { toAsciiLowerCase } from '../../domain/interactions/accounts.ts'
import { readTogether } from '../../storage/batches.ts'
import { codeAttemptStatements } from '../../storage/codes/code-attempts.ts'
import {
  prepareVerificationCodeAttempt,
  type VerificationCodeOwner,
} from '../../storage/codes/verification-codes.ts'
import { replaceVerification } from '../../storage/codes/verification-statuses.ts'
import { commitChange } from '../../storage/commit.ts'
import { markVerified } from '../../storage/users/user-changes.ts'
import { isUnrevoked, type UserRow } from '../../storage/users/users.ts'
import {
  type AttemptDependencies,
  type CountedAttempt,
  createTenantAttemptLimiter,
  type VerificationDependencies,
} from '../attempts.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireCredentialAccess } from '../sessions/step-up.ts'

type CodeAttempt = { event: InteractionEvent; address: VerifiedAddress; code: string }

/**
 * Attempts to verify a code. The attempt is counted in the round trip that reads the interaction
 * (spec/accounts#code-try-limits).
 */
export async function attemptCode(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { event, address, code }: CodeAttempt,
): Promise<CountedAttempt> {
  const { open, tenantId, audit } = call
  const { db, seals } = dependencies
  const browser = { trusted: await call.trustedBrowser(), name: { by: address.type, value: address.value } }
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId, browser)
  const { now } = attempts.circumstances
  const owner = { uid: open.uid, type: event }
  const attempt = await prepareVerificationCodeAttempt(seals, tenantId, { owner, address, code, now })
  const { row, results } = await open.readWith(
    codeAttemptStatements(db, tenantId, attempt, attempts.circumstances),
  )
  const {
    consumed,
    attempt: [result],
  } = results

  return {
    row,
    async prove() {
      audit.begin(`Interaction.${event}.Identifier.VerificationCode.Submit`, {}, { isCounted: true })
      throwIfRefused(attempts.refusal(consumed))
      throwIfRefused(checkVerificationCode(result, address, now))
      return { kind: address.type, value: address.value, provenAt: getCodeSentTime(result) }
    },
  }
}

type CodeDependencies = AttemptDependencies & Pick<Dependencies, 'seals'>

type CodeVerification = Omit<CodeUse, 'owner'> & { signedIn: SignedInUser; audit: AuditEntry }

/**
 * Verifies a code that was sent to the user's own address. For the next ten minutes, the user may change the password.
 */
export async function verifyOwnCode(
  dependencies: CodeDependencies,
  { tenantId, signedIn, address, code, audit }: CodeVerification,
): Promise<void> {
  requireCredentialAccess(signedIn)
  const { user, token } = signedIn
  const { db } = dependencies
  await consumeCode(dependencies, { tenantId, owner: { generic: address }, address, code })

  const owner = { tenantId, userId: user.id, grantId: token.grantId }
  const isVerified = address.type === 'email' ? user.emailVerified : user.phoneVerified
  const condition = isUnrevoked(tenantId, user)
  await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: {
      ...replaceVerification(db, owner, { now: dependencies.now(), condition }),
      verified: isVerified ? undefined : markVerified(db, tenantId, user.id, { address, condition }),
    },
  })
}

/**
 * Returns the user's address as it is stored, given the address in any letter case. Codes are tied to the stored form.
 * Throws if the user does not have the address.
 */
export function requireOwnAddress(
  { primaryEmail, primaryPhone }: UserRow,
  address: { email: string } | { phone: string },
): VerifiedAddress {
  if ('phone' in address) {
    if (address.phone !== primaryPhone) refuseWith('verification_code.phone_mismatch')
    return { type: 'phone', value: address.phone }
  }
  if (primaryEmail === null || toAsciiLowerCase(primaryEmail) !== toAsciiLowerCase(address.email))
    return refuseWith('verification_code.email_mismatch')
  return { type: 'email', value: primaryEmail }
}

type CodeUse = {
  tenantId: string
  owner: VerificationCodeOwner
  address: VerifiedAddress
  code: string
}

/** Consumes a signed-in user's code in one round trip. Only wrong codes count against the limit. */
export async function consumeCode(
  dependencies: CodeDependencies,
  { tenantId, owner, address, code }: CodeUse,
): Promise<void> {
  const { db, seals } = dependencies
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const { now } = attempts.circumstances
  const attempt = await prepareVerificationCodeAttempt(seals, tenantId, { owner, address, code, now })
  const {
    consumed,
    attempt: [result],
  } = await readTogether(db, codeAttemptStatements(db, tenantId, attempt, attempts.circumstances))
  throwIfRefused(attempts.refusal(consumed))
  throwIfRefused(checkVerificationCode(result, address, now))
}
