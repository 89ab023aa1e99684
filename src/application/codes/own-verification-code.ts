import { refuseWith } from '../../contract/refused.ts'
import type { VerifiedAddress } from '../../domain/codes/passcodes.ts'
import { withoutCase } from '../../domain/interactions/accounts.ts'
import { newVerification } from '../../storage/codes/verification-statuses.ts'
import { commitChange } from '../../storage/commit.ts'
import { markVerified } from '../../storage/users/user-changes.ts'
import { isUnrevoked, type UserRow } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireCredentialAccess } from '../sessions/recent-proof.ts'
import { spendCode } from './spend-code.ts'

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
  if (primaryEmail === null || withoutCase(primaryEmail) !== withoutCase(given.email))
    return refuseWith('verification_code.email_mismatch')
  return { type: 'email', value: primaryEmail }
}
