import type { OutboxEvents } from '../../storage/commit.ts'
import type { Precondition } from '../../storage/preconditions.ts'
import type { Identities } from '../../storage/tables.ts'
import type { UserChanges } from '../../storage/users/user-changes.ts'
import { lacksIdentity } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit.ts'
import { type AccountEventContext, identitiesChangedEvents } from '../hooks/events.ts'

/** An identity in the form in which it is stored with the account. */
export type Identity = Identities[string]

/** The parts of a change that link an identity, to be added to its batch. */
export type IdentityLink = {
  precondition: Precondition
  changes: Pick<UserChanges, 'addIdentities'>
  audit: ReturnType<AuditEntry['success']>
  outbox: OutboxEvents
}

/**
 * Links a provider account to an existing user, in the account centre or during a sign-in (ADR-0144,
 * spec/accounts#social-identities). Existing identities are never replaced. Otherwise, anyone who knows the password
 * could lock the owner out.
 */
export function createIdentityLink(
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
    outbox: identitiesChangedEvents({ ...context, entry }),
  }
}
