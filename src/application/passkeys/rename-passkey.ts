import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import { commitChange } from '../../storage/commit.ts'
import { isPasskey, renamePasskey } from '../../storage/passkeys/passkeys.ts'
import { type OwnCall, tellOwn } from '../account/own-call.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { passkeyRenamed } from '../hooks/access-events.ts'

/** `id` is that of the credential. */
type Renaming = OwnCall & { tenantId: string; id: string; name: string; audit: AuditEntry }

export async function renameOwnPasskey(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, id, name, audit, ...own }: Renaming,
): Promise<Passkey> {
  const { db } = dependencies
  const key = { userId: own.signedIn.user.id, id }
  const told = tellOwn(dependencies, tenantId, own)
  const entry = audit.success()
  const { renamed, outboxIds } = await commitChange(db, {
    tenantId,
    condition: isPasskey(tenantId, key),
    audit: entry,
    outbox: told.outbox(passkeyRenamed(id), entry),
    statements: { renamed: renamePasskey(db, tenantId, key, name) },
  })
  const [passkey] = renamed
  if (!passkey) return refuseWith('entity.not_found')
  told.send(outboxIds)
  return passkey
}
