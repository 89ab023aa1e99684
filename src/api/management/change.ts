import type { SQL } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { insertLogIf } from '../../storage/logs.ts'
import type { ManagementContext } from './router.ts'

type Subject =
  | 'Application'
  | 'Config'
  | 'Connector'
  | 'CustomPhrases'
  | 'Hook'
  | 'Resource'
  | 'Role'
  | 'Scope'
  | 'SignInExperience'
  | 'SigningKeys'
  | 'Tenant'
  | 'User'
  | 'UserAsset'
type Change = `Management.${Subject}.${'Create' | 'Update' | 'Delete'}`

/** What a change is remembered by: who made it, to what, and which fields it gave; never their values. */
export function note(
  c: ManagementContext,
  change: Change,
  subject: Record<string, unknown>,
  given: object = {},
): void {
  const changed = Object.keys(given)
  c.var.audit.append(change, {
    ...subject,
    actor: c.var.principal,
    ...(changed.length > 0 ? { changed } : {}),
  })
}

/** The row of what was noted, for the batch of the change and under its condition (decision 19). */
export function auditRow({ db }: Dependencies, c: ManagementContext, condition: SQL) {
  const [entry] = c.var.audit.take()
  if (!entry) throw new Error('A change was not noted')
  return insertLogIf(db, c.var.tenantId, condition, entry)
}
