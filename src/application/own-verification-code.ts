import { orRefuse, refuseWith } from '../contract/refused.ts'
import { withoutCase } from '../domain/accounts.ts'
import type { Address } from '../domain/passcodes.ts'
import { commit } from '../storage/commit.ts'
import { verifyGenericCode } from '../storage/passcodes.ts'
import { isUnrevoked, markVerified, type UserRow } from '../storage/users.ts'
import { newVerification } from '../storage/verification-statuses.ts'
import type { SignedInUser } from './access-token.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'

type CodeVerification = {
  tenantId: string
  signedIn: SignedInUser
  address: Address
  code: string
  audit: AuditEntry
}

/** With a code that was sent to the user's own address the password may be changed for ten minutes. */
export async function verifyOwnCode(
  { db, seals, now }: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  { tenantId, signedIn: { user, token }, address, code, audit }: CodeVerification,
): Promise<void> {
  orRefuse(await verifyGenericCode({ db, seals }, tenantId, { address, code, now: now() }))
  const owner = { tenantId, userId: user.id, grantId: token.grantId }
  const isKnown = address.type === 'email' ? user.emailVerified : user.phoneVerified
  const condition = isUnrevoked(tenantId, user)
  await commit(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: {
      ...newVerification(db, owner, { now: now(), condition }),
      verified: isKnown ? undefined : markVerified(db, tenantId, user.id, { address, condition }),
    },
  })
}

/** The address as it is stored, in any letter case: a code belongs to the stored one. Refuses an address of another account. */
export function ownAddress(user: UserRow, given: { email: string } | { phone: string }): Address {
  if ('phone' in given) {
    if (given.phone !== user.primaryPhone) refuseWith('verification_code.phone_mismatch')
    return { type: 'phone', value: given.phone }
  }
  const { primaryEmail } = user
  if (primaryEmail === null || withoutCase(primaryEmail) !== withoutCase(given.email))
    return refuseWith('verification_code.email_mismatch')
  return { type: 'email', value: primaryEmail }
}
