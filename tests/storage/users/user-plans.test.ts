import type { SQLWrapper } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../../src/contract/tenants/settings.ts'
import { eraseIndexedRows } from '../../../src/storage/account/erasure-steps.ts'
import { erasureStatements } from '../../../src/storage/account/erasures.ts'
import {
  deleteVerifications,
  isRecentlyVerified,
  replaceVerification,
  verificationQuery,
} from '../../../src/storage/codes/verification-statuses.ts'
import { ALWAYS_TRUE, type Condition } from '../../../src/storage/conditions.ts'
import { enqueueLogouts } from '../../../src/storage/hooks/outbox-events.ts'
import { consumeAttempts } from '../../../src/storage/rate-limits.ts'
import { endAuthorizations } from '../../../src/storage/sessions/session-authorizations.ts'
import {
  exemptFromRevocation,
  lastingAppsQuery,
  matchesSession,
  sessionDeletionStatements,
  sessionsQuery,
} from '../../../src/storage/sessions/sessions.ts'
import { activityQuery, newUsersQuery } from '../../../src/storage/tenants/dashboard.ts'
import { takenIdentifierQueries } from '../../../src/storage/users/duplicate-identifiers.ts'
import { updateUserIf } from '../../../src/storage/users/user-changes.ts'
import { exportQuery } from '../../../src/storage/users/user-export.ts'
import { insertImportedUsers } from '../../../src/storage/users/user-import.ts'
import { hasIdentity, hasSignInOption, isUnrevoked } from '../../../src/storage/users/users.ts'
import { newImportedRow, sweptDatabases, TEST_NOW } from '../databases.ts'
import { isSearchOfAllModels, plansOf, queryPlan } from '../query-plans.ts'

/** Checks whether a query plan scans a table. The excluded names stand for short lists, such as one session's rows. */
const isScan = (detail: string) =>
  isSearchOfAllModels(detail) ||
  /^SCAN (?!CONSTANT ROW|subject\b|attempt\b|json_each\b|ahead\b|measured\b|\(subquery-\d+\)|entry\b|passkey\b|imported\b|linked\b|granted\b|visited\b|informed\b|begins\b|step\b)/.test(
    detail,
  )

const t = 'default'
const session = { tenantId: t, userId: 'a', sessionId: 's' }
const owner = { tenantId: t, userId: 'a', grantId: 'g' }
const { limits } = DEFAULT_TENANT_SETTINGS
const row = newImportedRow({
  id: 'a',
  roleIds: ['r'],
  totp: 'sealed',
  passkeys: [
    {
      credentialId: 'c',
      publicKey: 'k',
      counter: 0,
      transports: [],
      aaguid: 'a',
      name: null,
      rpId: 'r',
      isBackupEligible: true,
      isBackedUp: true,
      createdAt: 1,
      lastUsedAt: null,
      provenance: null,
      isSecondFactor: false,
    },
  ],
})

describe.each(sweptDatabases)('query plans on $name', ({ db }) => {
  const withPrefix = (name: string, statements: Record<string, SQLWrapper> | readonly SQLWrapper[]) =>
    Object.fromEntries(Object.entries(statements).map(([key, statement]) => [`${name}, ${key}`, statement]))
  const requested = {
    ids: ['a'],
    usernames: ['a'],
    emails: ['a'],
    phones: ['1'],
    identities: [['github', '1']],
    roleNames: ['r'],
    credentialIds: ['c'],
  } as const
  const imported = insertImportedUsers(db, t, { imported: [row], now: TEST_NOW })
  const changeIf = (condition: Condition) => updateUserIf(db, t, condition, 'a', { name: 'a' })

  const statements: Record<string, SQLWrapper> = {
    ...withPrefix('finding taken identifiers', takenIdentifierQueries(db, t, requested)),
    ...withPrefix('importing users', imported.users),
    ...withPrefix('importing their roles', imported.roles),
    ...withPrefix('importing their apps', imported.apps),
    ...withPrefix('importing their passkeys', imported.passkeys),
    exporting: exportQuery(db, t, { after: 'a', limit: 100, withTotpSecrets: true }),
    'listing sessions': sessionsQuery(db, t, 'a', TEST_NOW),
    'listing apps with lasting access': lastingAppsQuery(db, t, 'a', TEST_NOW),
    ...withPrefix('ending a session', sessionDeletionStatements(db, session)),
    ...withPrefix(
      'exempting a session',
      exemptFromRevocation(
        db,
        { ...session, grantId: 'g' },
        { revokedAt: TEST_NOW, before: 1, condition: ALWAYS_TRUE },
      ),
    ),
    ...withPrefix(
      'ending applications of a session',
      endAuthorizations(db, {
        tenantId: t,
        userId: 'a',
        uid: 's',
        issuer: 'i',
        now: TEST_NOW,
        applicationIds: ['x'],
        grantIds: ['g'],
      }),
    ),
    'inserting logout tokens of a session': enqueueLogouts(db, t, matchesSession('s'), {
      userId: 'a',
      issuer: 'i',
      now: TEST_NOW,
    }),
    'counting new users': newUsersQuery(db, t, 20_000),
    'reading activity': activityQuery(db, t, 20_000),
    ...withPrefix(
      'inserting a verification',
      replaceVerification(db, owner, { now: TEST_NOW, condition: ALWAYS_TRUE }),
    ),
    'deleting verifications': deleteVerifications(db, t, 'a'),
    'finding a verification': verificationQuery(db, owner),
    'changing a verified user': changeIf(isRecentlyVerified(owner, TEST_NOW)),
    'changing an unrevoked user': changeIf(isUnrevoked(t, { id: 'a', revokedAt: null })),
    'unlinking an identity': changeIf(hasIdentity(t, 'a', 'github')),
    'unlinking an identity beside a password': changeIf(
      hasSignInOption(t, 'a', { by: 'identifier', type: 'email', needsPassword: true }),
    ),
    ...Object.fromEntries(
      consumeAttempts(db, t, [{ limit: 'ownPasswordTries', id: 'a' }], {
        limits,
        environment: 'production',
        now: TEST_NOW,
      }).map((statement) => ['consuming an attempt at the own password', statement]),
    ),
  }

  it.each(Object.entries(statements))('%s does not scan a table', async (_, statement) => {
    const details = await queryPlan(db, statement.getSQL())
    expect(details.filter(isScan)).toEqual([])
  })

  it('erasing a user finds the sessions and grants through the index of owners', async () => {
    const erasure = {
      tenantId: t,
      id: 'e',
      names: { id: 'a', unique: [], shared: [] },
      createdAt: 1,
      place: null,
    }
    const details = await plansOf(db, (explained) => eraseIndexedRows(explained, erasure))
    expect(details.filter(isScan)).toEqual([])
    expect(details.join()).toContain('oidc_model_instances_owner (tenant_id=? AND account_id=?)')
  })

  it('exporting reads pages in order from an index', async () => {
    const details = await queryPlan(
      db,
      exportQuery(db, t, { after: 'a', limit: 100, withTotpSecrets: true }).getSQL(),
    )
    expect(details[0]).toMatch(
      /^SEARCH users USING INDEX users_id_unique \(tenant_id=\? AND id>\? AND id<\?\)/,
    )
    expect(details.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
  })

  it('deleting a user looks up each of their former identifiers in other accounts through an index', async () => {
    const deleted = { tenantId: t, userId: 'a', digest: 'd', now: TEST_NOW, condition: ALWAYS_TRUE }
    const details = await queryPlan(db, erasureStatements(db, deleted).erasure.getSQL())
    const others = details.flatMap((detail) => /^SEARCH other USING .*INDEX (\w+)/.exec(detail)?.[1] ?? [])
    expect([...new Set(others)].toSorted()).toEqual([
      'users_by_phone',
      'users_email_unique',
      'users_username_lower',
    ])
  })

  it('counting new users does not read them', async () => {
    expect(await queryPlan(db, newUsersQuery(db, t, 20_000).getSQL())).toEqual([
      expect.stringMatching(/^SEARCH daily_activity USING .*\(tenant_id=\? AND day>\? AND day<\?\)/),
    ])
  })
})
