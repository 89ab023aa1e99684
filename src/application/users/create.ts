import { USER_ID_LENGTH } from '../../contract/ids.ts'
import { refuseWith } from '../../contract/refused.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE } from '../../storage/conditions.ts'
import { randomId } from '../../storage/ids.ts'
import { insertUserIf, type NewUserRow } from '../../storage/users/user-changes.ts'
import { rethrowAsConflict } from '../account/uniqueness-refusal.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { dispatchHooks, type HookDispatch, userCreatedEvents } from '../hooks/user-events.ts'
import { type PasswordCheckDependencies, prepareNewPasswordColumns } from '../passwords/new-password.ts'

type UserCreation = HookDispatch & {
  tenantId: string
  profile: Partial<Omit<NewUserRow, 'id' | 'createdAt'>> & { password?: string | undefined }
  beginAudit(userId: string): AuditEntry
}

export async function createUser(
  dependencies: Pick<Dependencies, 'db' | 'deliveries' | 'now'> & PasswordCheckDependencies,
  { tenantId, profile: { password, ...names }, beginAudit, actor, ...dispatch }: UserCreation,
) {
  const { db, now } = dependencies
  const id = randomId(USER_ID_LENGTH)
  const audit = beginAudit(id)
  const hashed =
    password === undefined ? {} : await prepareNewPasswordColumns(dependencies, { tenantId, password, audit })
  const user = { ...names, ...hashed, id, createdAt: now() }
  const { created, outboxIds } = await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: { created: insertUserIf(db, tenantId, ALWAYS_TRUE, user) },
    outbox: { hooks: [userCreatedEvents({ userId: id, actor, now: user.createdAt })] },
  }).catch(rethrowAsConflict)
  dispatchHooks(dependencies, { tenantId, outboxIds }, dispatch)
  return created[0] ?? refuseWith('entity.create_failed')
}
