import { TOKEN_LENGTH } from '../../contract/applications/client-registration.ts'
import { refuseWith } from '../../contract/refused.ts'
import {
  insertRegistrationToken,
  type RegistrationTokenRow,
  registrationTokenExists,
  removeRegistrationToken,
} from '../../storage/applications/registration-tokens.ts'
import { commitChange } from '../../storage/commit.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { randomId } from '../../storage/ids.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'

type NewToken = { name: string; uses: number; lifetimeSeconds: number }

/**
 * Creates a token with which clients can register (spec/management#registration-tokens). The token's value is returned
 * only once.
 */
export async function createRegistrationToken(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, id, token, audit }: { tenantId: string; id: string; token: NewToken; audit: AuditEntry },
): Promise<RegistrationTokenRow & { token: string }> {
  const value = randomId(TOKEN_LENGTH)
  const createdAt = now()
  const row = {
    tenantId,
    id,
    name: token.name,
    usesLeft: token.uses,
    createdAt,
    digest: await sha256Base64Url(value),
    expiresAt: createdAt + token.lifetimeSeconds * 1000,
  }
  const { created } = await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: { created: insertRegistrationToken(db, row) },
  })
  return created[0] ? { ...created[0], token: value } : refuseWith('entity.create_failed')
}

/** Revokes a token. Clients that were registered with it remain registered. */
export async function revokeRegistrationToken(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, id, audit }: { tenantId: string; id: string; audit: AuditEntry },
): Promise<void> {
  const { removed } = await commitChange(db, {
    tenantId,
    condition: registrationTokenExists(tenantId, id),
    audit: audit.success(),
    statements: { removed: removeRegistrationToken(db, tenantId, id) },
  })
  if (removed.length === 0) refuseWith('entity.not_found')
}
