import type { OutboxEvents } from '../../storage/commit.ts'
import type { Precondition } from '../../storage/preconditions.ts'
import type { Identities } from '../../storage/tables.ts'
import type { UserChanges } from '../../storage/users/user-changes.ts'
import { lacksIdentity } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit.ts'
import { type AccountEventContext, identitiesChanged } from '../hooks/events.ts'

/** An identity as the account stores it. */
export type Identity = Identities[string]

/** What goes into the batch. */
export type IdentityLink = {
  precondition: Precondition
  changes: Pick<UserChanges, 'addIdentities'>
  audit: ReturnType<AuditEntry['success']>
  outbox: OutboxEvents
}

/**
 * An account at a provider becomes a way to sign in as an existing user, in the account centre or in a sign-in (ADR-0144,
 * spec/accounts#social-identities). It never takes the place of another one: whoever knows the password would lock the owner out.
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
