import { refuseWith } from '../../contract/refused.ts'
import { existingMembersQuery } from '../../storage/access/role-links.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import {
  forgetBrowser,
  forgetBrowsers,
  hasTrustedBrowser,
  isTrustedBrowser,
  trustedBrowsersQuery,
} from '../../storage/sessions/trusted-browsers.ts'
import { type OwnCall, tellOwn } from '../account/own-call.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { browserForgotten, browsersForgotten } from '../hooks/access-events.ts'

/** The browsers in which a user signed in, for the user and for operators (spec/accounts#trusted-browser). */

type BrowserDependencies = Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>
type Owner = { tenantId: string; userId: string }

export async function trustedBrowsersOf({ db, now, tenantSettings }: BrowserDependencies, owner: Owner) {
  const { secondFactor } = await tenantSettings.get(owner.tenantId)
  const rule = { days: secondFactor.rememberDays, now: now() }
  const { users, browsers } = await readTogether(db, {
    users: existingMembersQuery(db, owner.tenantId, 'user', [owner.userId]),
    browsers: trustedBrowsersQuery(db, owner, rule),
  })
  return users.length > 0 ? browsers : refuseWith('entity.not_found')
}

/** It is neither trusted nor remembered any more. */
export async function forgetTrustedBrowser(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, audit, own, ...key }: Owner & { id: string; audit: AuditEntry; own?: OwnCall },
): Promise<void> {
  const { db } = dependencies
  const told = tellOwn(dependencies, tenantId, own)
  const entry = audit.success()
  const { forgotten, outboxIds } = await commitChange(db, {
    tenantId,
    condition: isTrustedBrowser(tenantId, key),
    audit: entry,
    outbox: told.outbox(browserForgotten(key.id), entry),
    statements: { forgotten: forgetBrowser(db, tenantId, key) },
  })
  if (forgotten.length === 0) refuseWith('entity.not_found')
  told.send(outboxIds)
}

/** All of them; where there are none, nothing has happened. */
export async function forgetTrustedBrowsers(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, audit, own }: { tenantId: string; audit: AuditEntry; own: OwnCall },
): Promise<void> {
  const { db } = dependencies
  const { id: userId } = own.signedIn.user
  const told = tellOwn(dependencies, tenantId, own)
  const entry = audit.success()
  const { outboxIds } = await commitChange(db, {
    tenantId,
    condition: hasTrustedBrowser(tenantId, userId),
    audit: entry,
    outbox: told.outbox(browsersForgotten(tenantId, userId), entry),
    statements: { forgotten: forgetBrowsers(db, tenantId, userId) },
  })
  told.send(outboxIds)
}
