import type { OutboxEvents } from '../../storage/commit.ts'
import type { Precondition } from '../../storage/preconditions.ts'
import type { Identities } from '../../storage/tables.ts'
import type { UserChanges } from '../../storage/users/user-changes.ts'
import { lacksIdentity } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit.ts'
import { type AccountEventContext, identitiesChanged } from '../hooks/events.ts'

/** An identity as stored with the account. */
export type Identity = Identities[string]

/** The parts that link an identity, for the batch of a change. */
export type IdentityLink = {
  precondition: Precondition
  changes: Pick<UserChanges, 'addIdentities'>
  audit: ReturnType<AuditEntry['success']>
  outbox: OutboxEvents
}

/**
 * Links an account at a provider to an existing user, in the account centre or during a sign-in (ADR-0144,
 * spec/accounts#social-identities). It never replaces an identity. Otherwise, anyone who knows the password could lock
 * the owner out.
 */
export function identityLink(
  context: AccountEventContext,
  { target, identity, audit }: { target: string; identity: Identity; audit: AuditEntry },
): IdentityLink {
  const { tenantId, userId } = context
  const entry = audit.success({ userId, target })
  return {
    precondition: {
      condition: lacksIdentity(tenantId, userId, target),
      code: 'user.identity_already_in_use',
    },
    changes: { addIdentities: { [target]: identity } },
    audit: entry,
    outbox: identitiesChanged({ ...context, entry }),
  }
}
