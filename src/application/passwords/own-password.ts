import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { deleteVerifications, replaceVerification } from '../../storage/codes/verification-statuses.ts'
import { commitChange } from '../../storage/commit.ts'
import { clearConsecutiveFailures } from '../../storage/rate-limits.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { type AttemptDependencies, createTenantAttemptLimiter } from '../attempts.ts'
import type { AuditEntry } from '../audit.ts'
import type { MessageRequest } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import { passwordChangedEvents } from '../hooks/events.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { endOtherSessions } from '../sessions/revoke.ts'
import { requireCredentialAccess, requireStepUp } from '../sessions/step-up.ts'
import {
  countNewPassword,
  type PasswordCheckDependencies,
  prepareNewPasswordColumns,
} from './new-password.ts'
import { comparePassword, replaceWeakHash } from './verify.ts'

type PasswordRequest = {
  tenantId: string
  signedIn: SignedInUser
  password: string
  audit: AuditEntry
  background(task: () => Promise<unknown>): void
}

/**
 * Verifies the current password. For the next ten minutes, the user may then change it
 * (spec/management#account-verification).
 */
export async function verifyOwnPassword(
  dependencies: AttemptDependencies,
  { tenantId, signedIn, password, audit, background }: PasswordRequest,
): Promise<void> {
  requireCredentialAccess(signedIn)
  const { user, token } = signedIn
  const { db } = dependencies
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const { now } = attempts.circumstances
  const consumed = await attempts.consume([
    { limit: 'ownPasswordTries', id: user.id },
    // Sign-ins use the same counter for failures (spec/accounts#failures-in-a-row).
    { limit: 'passwordTriesInARow', id: user.id },
  ])
  throwIfRefused(attempts.refusal(consumed))
  const { ok, rehash } = await comparePassword(user, password)
  if (!ok) refuseWith('session.invalid_credentials')

  const owner = { tenantId, userId: user.id, grantId: token.grantId }
  const condition = isUnrevoked(tenantId, user)
  await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: replaceVerification(db, owner, { now, condition }),
  })
  background(async () => {
    await attempts.refund(consumed, { userId: user.id })
    if (rehash) await replaceWeakHash(db, tenantId, user, password)
  })
}

/** Changes the password and ends the user's sessions, except the current one. */
export async function changeOwnPassword(
  dependencies: AttemptDependencies & PasswordCheckDependencies & Pick<Dependencies, 'deliveries'>,
  request: PasswordRequest & { url: string; ip: string | undefined; message: MessageRequest },
): Promise<void> {
  const { db } = dependencies
  const { tenantId, signedIn, password, audit } = request
  const isProven = await requireStepUp(dependencies, tenantId, signedIn)
  throwIfRefused(await countNewPassword(dependencies, request))
  if ((await comparePassword(signedIn.user, password)).ok) refuseWith('user.same_password')

  const columns = await prepareNewPasswordColumns(dependencies, { tenantId, password, audit })
  const { id: userId } = signedIn.user
  await endOtherSessions(dependencies, request, {
    isProven,
    columns,
    last: [deleteVerifications(db, tenantId, userId), ...clearConsecutiveFailures(db, tenantId, userId)],
    notificationsOf: (context, entry) => passwordChangedEvents({ ...context, entry }),
  })
}
