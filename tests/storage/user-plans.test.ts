import { type SQLWrapper, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/settings.ts'
import { activityQuery, newUsersQuery } from '../../src/storage/dashboard.ts'
import { enqueueLogouts } from '../../src/storage/outbox.ts'
import { ownPasswordTry } from '../../src/storage/rate-limits.ts'
import { deleteSession, inSession, keepSession, sessionsQuery } from '../../src/storage/sessions.ts'
import { exportQuery } from '../../src/storage/user-export.ts'
import { insertImported, takenQueries } from '../../src/storage/user-import.ts'
import { hasIdentity, hasWayIn, isUnrevoked, updateUserIf } from '../../src/storage/users.ts'
import {
  forgetVerifications,
  isVerified,
  rememberVerification,
  verificationQuery,
} from '../../src/storage/verification-statuses.ts'
import { databases, NOW } from './databases.ts'
import { plan } from './query-plans.ts'

/** What the caller sent, what one session or one user has, and what a page is cut from: short lists, and all others are tables. */
const isWalk = (detail: string) =>
  /^SCAN (?!CONSTANT ROW|json_each\b|ahead\b|measured\b|\(subquery-\d+\)|given\b|imported\b|linked\b|granted\b|visited\b|told\b)/.test(
    detail,
  )

const t = 'default'
const session = { tenantId: t, userId: 'a', sessionId: 's' }
const owner = { tenantId: t, userId: 'a', grantId: 'g' }
const { limits } = DEFAULT_TENANT_SETTINGS
const row = {
  id: 'a',
  username: null,
  primaryEmail: null,
  primaryPhone: null,
  passwordEncrypted: null,
  passwordEncryptionMethod: null,
  name: null,
  avatar: null,
  identities: {},
  customData: {},
  isSuspended: false,
  lastSignInAt: null,
  createdAt: NOW,
  roleIds: ['r'],
}

describe.each(databases)('On $name', ({ db }) => {
  const named = (name: string, statements: readonly SQLWrapper[]) =>
    Object.fromEntries(statements.map((statement, index) => [`${name}, ${index + 1}`, statement]))
  const asked = {
    ids: ['a'],
    usernames: ['a'],
    emails: ['a'],
    phones: ['1'],
    identities: [['github', '1']],
    roleNames: ['r'],
  } as const
  const imported = insertImported(db, t, { imported: [row], now: NOW })
  const ifTheyMay = (condition: ReturnType<typeof hasIdentity>) =>
    updateUserIf(db, t, condition, 'a', { name: 'a' })

  const statements: Record<string, SQLWrapper> = {
    ...named('asking who is there already', takenQueries(db, t, asked)),
    ...named('importing users', imported.users),
    ...named('importing their roles', imported.roles),
    exporting: exportQuery(db, t, { after: 'a', limit: 100 }),
    'listing sessions': sessionsQuery(db, t, 'a', NOW),
    ...named('ending a session', deleteSession(db, session)),
    ...named(
      'keeping a session',
      keepSession(db, { ...session, grantId: 'g' }, { revokedAt: NOW, before: 1, condition: sql`true` }),
    ),
    'telling the applications of a session': enqueueLogouts(db, t, inSession('s'), {
      userId: 'a',
      issuer: 'i',
      now: NOW,
    }),
    'counting new users': newUsersQuery(db, t, 20_000),
    'reading activity': activityQuery(db, t, 20_000),
    ...named('remembering a verification', rememberVerification(db, owner, NOW)),
    'forgetting verifications': forgetVerifications(db, t, 'a'),
    'looking for a verification': verificationQuery(db, owner),
    'changing what a verification opens': ifTheyMay(isVerified(owner, NOW)),
    'changing whom nobody revoked': ifTheyMay(isUnrevoked(t, { id: 'a', revokedAt: null })),
    'unlinking an identity': ifTheyMay(hasIdentity(t, 'a', 'github')),
    'unlinking one beside a password': ifTheyMay(
      hasWayIn(t, 'a', { by: 'identifier', type: 'email', needsPassword: true }),
    ),
    'counting a try of the own password': ownPasswordTry(db, t, { userId: 'a', limits, now: NOW }),
  }

  it.each(Object.entries(statements))('%s walks along no table', async (_, statement) => {
    const details = await plan(db, statement.getSQL())
    expect(details.filter(isWalk)).toEqual([])
  })

  it('pages of an export are read in order from an index', async () => {
    const details = await plan(db, exportQuery(db, t, { after: 'a', limit: 100 }).getSQL())
    expect(details[0]).toMatch(
      /^SEARCH users USING INDEX users_id_unique \(tenant_id=\? AND id>\? AND id<\?\)/,
    )
    expect(details.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
  })

  it('new users are counted without reading them', async () => {
    expect(await plan(db, newUsersQuery(db, t, 20_000).getSQL())).toEqual([
      expect.stringMatching(/^SEARCH daily_activity USING .*\(tenant_id=\? AND day>\? AND day<\?\)/),
    ])
  })
})
