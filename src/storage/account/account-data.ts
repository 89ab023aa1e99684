import { consentGrantsQuery, consentsQuery, toConsents } from '../applications/consent-list.ts'
import { readTogether } from '../batches.ts'
import type { Database } from '../database.ts'
import { backupCodeCountQuery, totpQuery } from '../factors/factors.ts'
import { passkeysQuery } from '../passkeys/passkeys.ts'
import { passwordChangeQuery } from '../passwords/password-changes.ts'
import type { consumeAttempts } from '../rate-limits.ts'
import { sessionsQuery } from '../sessions/sessions.ts'
import { trustedBrowsersQuery } from '../sessions/trusted-browsers.ts'
import { userLogsQuery } from '../user-logs.ts'
import { accountTraceQueries } from './account-traces.ts'

type Owner = { tenantId: string; userId: string }
type DataRequest = {
  /** Statements that count this request towards a rate limit. */
  consumed: ReturnType<typeof consumeAttempts>
  now: number
  rememberDays: number
}

/**
 * Reads all data about a user that is not in the user's row, including the newest rows of the audit log, in one round
 * trip (spec/account-centre#data).
 */
export async function readAccountData(
  db: Database,
  owner: Owner,
  { consumed, now, rememberDays }: DataRequest,
) {
  const { consents, consentGrants, ...rows } = await readTogether(db, {
    consumed,
    logs: userLogsQuery(db, owner, null),
    ...accountDataQueries(db, owner, { days: rememberDays, now }),
  })
  return { ...rows, consents: toConsents(consents, consentGrants) }
}
export type AccountDataRows = Awaited<ReturnType<typeof readAccountData>>

function accountDataQueries(db: Database, owner: Owner, rule: Parameters<typeof trustedBrowsersQuery>[2]) {
  const { tenantId, userId } = owner
  return {
    passkeys: passkeysQuery(db, tenantId, userId),
    totp: totpQuery(db, owner),
    backupCodes: backupCodeCountQuery(db, owner),
    passwordChanges: passwordChangeQuery(db, owner),
    sessions: sessionsQuery(db, tenantId, userId, rule.now),
    browsers: trustedBrowsersQuery(db, owner, rule),
    consents: consentsQuery(db, tenantId, userId),
    consentGrants: consentGrantsQuery(db, tenantId, userId),
    ...accountTraceQueries(db, owner),
  }
}
