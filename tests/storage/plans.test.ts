import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
import { invitationOfLinkQuery } from '../../src/storage/access/invitations.ts'
import {
  indicatorSpellingsJson,
  resourceQuery,
  resourcesByNameQuery,
} from '../../src/storage/access/resources.ts'
import {
  applicationScopesQuery,
  scopesByResourceNameQuery,
  userScopesQuery,
} from '../../src/storage/access/roles.ts'
import { accountTraceQueries } from '../../src/storage/account/account-traces.ts'
import { activityQueries, lastResetQuery } from '../../src/storage/account/activity-list.ts'
import { listApplications } from '../../src/storage/applications/applications.ts'
import {
  accessCountQueries,
  consentGrantsQuery,
  consentsQuery,
} from '../../src/storage/applications/consent-list.ts'
import {
  addConsents,
  clientWithdrawalStatements,
  consentQuery,
  consentWithdrawalStatements,
  deleteWithdrawnGrant,
  earlierConsentsQuery,
  requestedResourcesQuery,
} from '../../src/storage/applications/consents.ts'
import {
  deleteConsents,
  deleteGrantsWithoutConsent,
  deleteImplicitGrant,
  deleteIssuedModels,
} from '../../src/storage/applications/issued.ts'
import {
  clientRegistrationStatements,
  registeredClientQuery,
} from '../../src/storage/applications/registered-clients.ts'
import {
  attemptVerificationCode,
  type VerificationCodeOwner,
} from '../../src/storage/codes/verification-codes.ts'
import { isNextNotice } from '../../src/storage/connectors/notices.ts'
import { refundAttempt } from '../../src/storage/counter-refunds.ts'
import { experienceQuery } from '../../src/storage/experience/experience.ts'
import { deleteExpired, deleteOldLogs } from '../../src/storage/expired.ts'
import {
  acceptTotpStep,
  backupCodeCountQuery,
  consumeBackupCode,
  enrolledFactorsQuery,
  insertTotpIf,
  replaceBackupCodesIf,
  totpQuery,
} from '../../src/storage/factors/factors.ts'
import {
  addedPoliciesQuery,
  applicationPolicyQuery,
  hasAddedPolicyQuery,
  rolePoliciesQuery,
} from '../../src/storage/factors/second-factor-policies.ts'
import { historiesQuery, placeStatements } from '../../src/storage/factors/sign-in-places.ts'
import { enqueueHooks } from '../../src/storage/hooks/hook-events.ts'
import { listFailedDeliveries } from '../../src/storage/hooks/outbox.ts'
import { enqueueLogouts } from '../../src/storage/hooks/outbox-events.ts'
import {
  interactionUserId,
  loginUserId,
  resumeQueries,
  sessionQueries,
  sessionUserId,
  tokenQueries,
  tokenResources,
} from '../../src/storage/interactions/oidc-reads.ts'
import { grantWithScopesQuery } from '../../src/storage/interactions/organization-reads.ts'
import { claimSingleUse, consumeExisting, type SingleUse } from '../../src/storage/interactions/single-use.ts'
import { listLogs } from '../../src/storage/log-list.ts'
import {
  applicationScopesInOrganizationQuery,
  organizationApplicationQuery,
} from '../../src/storage/organisations/applications.ts'
import { endMembershipAuthorizations } from '../../src/storage/organisations/membership-authorizations.ts'
import { membershipsOfUserQuery, touchMembership } from '../../src/storage/organisations/memberships.ts'
import { memberScopesQuery } from '../../src/storage/organisations/organization-scopes.ts'
import { organizationsClaimQuery } from '../../src/storage/organisations/organizations-claim.ts'
import { memberPoliciesQuery } from '../../src/storage/organisations/policies.ts'
import { deferPasskeyOffer, passkeyOwnersQuery } from '../../src/storage/passkeys/passkey-offers.ts'
import {
  existingPasskeysQuery,
  hasPasskey,
  insertPasskeyIf,
  mayAddPasskey,
  mayUsePasskeyDomain,
  passkeyQuery,
  passkeysQuery,
  recordPasskeyUse,
  removePasskeyIf,
  renamePasskey,
} from '../../src/storage/passkeys/passkeys.ts'
import {
  type AttemptToCount,
  clearConsecutiveFailures,
  consumeAttempts,
  findLockedCounters,
} from '../../src/storage/rate-limits.ts'
import { sweepMissedRevokedRows, sweepRevokedRows } from '../../src/storage/sessions/oidc-revocation.ts'
import { oidcModelInstances as models, notices, outbox } from '../../src/storage/tables.ts'
import { configQuery } from '../../src/storage/tenants/configs.ts'
import { changeSettings } from '../../src/storage/tenants/settings.ts'
import { totalQuery } from '../../src/storage/totals.ts'
import { insertUserIf, setFirstApplication, updateUserIf } from '../../src/storage/users/user-changes.ts'
import { listUsers } from '../../src/storage/users/user-list.ts'
import { type UserSearch, userSearchFields } from '../../src/storage/users/user-search.ts'
import { accountsQuery, accountWithHashCostQuery, costliestHashQuery } from '../../src/storage/users/users.ts'
import { seals, sweptDatabases, TEST_NOW } from './databases.ts'
import { isSearchOfAllModels, plansOf, queryPlan } from './query-plans.ts'

/**
 * Checks whether a query plan scans a table that grows with the number of users (spec/budgets#table-scans). The
 * excluded names stand for short lists: `some` is a subquery that counts at most 10,000 rows, `informed` contains the
 * applications of one user's sessions, `requested` and `name` contain the scopes of one consent page, `subject` and
 * `attempt` contain the one attempt that is counted, `step` the entries of one audit row, and `reached` the
 * combinations of audit keys.
 */
const isScan = (detail: string) =>
  isSearchOfAllModels(detail) ||
  /^SCAN (?!CONSTANT ROW|subject\b|attempt\b|users_search\b|json_each\b|some\b|scoped\b|informed\b|requested\b|name\b|found\b|one\b|step\b|reached\b)/.test(
    detail,
  )

const t = 'default'

const name = { by: 'email', value: 'a' } as const
const circumstances = {
  limits: DEFAULT_TENANT_SETTINGS.limits,
  environment: 'production',
  browser: { trusted: { id: 'b', userIds: ['a', 'c', 'd', 'e', 'f'] }, name },
  now: TEST_NOW,
}
const passkey = {
  credentialId: 'c',
  userId: 'a',
  publicKey: 'k',
  counter: 0,
  transports: [],
  aaguid: '',
  name: null,
  rpId: 'example.com',
  isBackupEligible: true,
  isBackedUp: true,
  createdAt: TEST_NOW,
  isSecondFactor: false,
}
const passwordTries: AttemptToCount[] = [
  { limit: 'passwordTriesPerNetwork', ip: '2001:db8::1' },
  { limit: 'passwordTries', name },
  { limit: 'passwordTriesInARow', name },
]
const clientTry: AttemptToCount = { limit: 'clientTriesPerNetwork', ip: '2001:db8::1', client: 'shop' }
const code = { address: { type: 'email', value: 'a' }, code: '123456', now: TEST_NOW } as const

const owner = { tenantId: t, userId: 'a' }
const tokenUse = { tenantId: t, digest: 'd', now: 1 }
const newClient = {
  application: {
    id: 'c',
    name: 'Agent',
    secret: 's',
    sealedSecret: 's',
    description: null,
    createdAt: 1,
    type: 'SPA' as const,
    oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
    customClientMetadata: {},
  },
  tokenDigest: 'd',
  unusedUntil: 1,
}
const consentKey = { tenantId: t, userId: 'a', applicationId: 'b' }
const memberKey = { tenantId: t, organizationId: 'o', userId: 'a' }
const endedMemberships = {
  tenantId: t,
  organizationId: 'o',
  userIds: ['a', 'b'],
  issuer: 'https://id.example/oidc',
  now: 1,
}
const interactionKey = { tenantId: t, uid: 'i', applicationId: 'b' }

const hookOccasion = {
  event: 'PostSignIn',
  interactionEvent: 'SignIn',
  userId: 'a',
  sessionId: 'i',
  userAgent: undefined,
  applicationId: 'b',
} as const

describe.each(sweptDatabases)('query plans on $name', ({ db }) => {
  const statements: Record<string, SQLWrapper> = {
    'finding accounts': accountsQuery(db, t, [
      { by: 'id', value: 'a' },
      { by: 'username', value: 'a' },
      { by: 'email', value: 'a@b.c' },
      { by: 'phone', value: '1' },
      { by: 'identity', target: 'github', value: '7' },
    ]),
    'listing activity': activityQueries(db, t, {
      userId: 'a',
      since: 1,
      before: { createdAt: 2, id: 'b' },
    }).activity,
    'finding a password reset': lastResetQuery(db, t, { userId: 'a', since: 1 }),
    'finding no account': accountsQuery(db, t, []),
    'finding the account of a password attempt': accountWithHashCostQuery(db, t, {
      by: 'username',
      value: 'a',
    }),
    registering: insertUserIf(db, t, hasModel(), { id: 'a', createdAt: TEST_NOW }),
    'signing in': updateUserIf(db, t, hasModel(), 'a', {
      lastSignInAt: TEST_NOW,
      addIdentities: { x: { userId: '1' } },
    }),
    'setting the first application': setFirstApplication(db, t, 'a', 'b'),
    'reading a model': db
      .select()
      .from(models)
      .where(of('Session', eq(models.id, 'a'))),
    ...Object.fromEntries(
      (['uid', 'userCode'] as const).map((name) => [
        `finding models by ${name}`,
        db
          .select()
          .from(models)
          .where(of('Session', eq(models[name], 'a'))),
      ]),
    ),
    'deleting what was issued to an application': deleteIssuedModels(db, t, 'a'),
    'deleting the consents to an application': deleteConsents(db, t, 'a', hasModel()),
    'finding the grants in a data download': accountTraceQueries(db, owner).grants,
    ...Object.fromEntries(
      consumeAttempts(db, t, passwordTries, circumstances).map((statement, index) => [
        `consuming a password attempt (${index + 1})`,
        statement,
      ]),
    ),
    'deleting the implicit grants of an application': deleteGrantsWithoutConsent(db, t, 'a'),
    'deleting an implicit grant': deleteImplicitGrant(db, { tenantId: t, applicationId: 'a' }, 'g'),
    'finding the policies of the roles of accounts': rolePoliciesQuery(db, t, [
      { by: 'id', value: 'a' },
      { by: 'email', value: 'a' },
      { by: 'phone', value: '1' },
      { by: 'username', value: 'a' },
      { by: 'identity', target: 'x', value: '1' },
    ]),
    'finding the policy of an organization of accounts': memberPoliciesQuery(
      db,
      { tenantId: t, organizationId: 'o' },
      [
        { by: 'id', value: 'u' },
        { by: 'username', value: 'u' },
        { by: 'email', value: 'u' },
      ],
      { lookups: [{ by: 'id', value: 'u' }], browserId: 'b' },
    ),
    'finding out whether an organization has a policy': hasAddedPolicyQuery(db, t),
    'finding the policies that organizations have': addedPoliciesQuery(db, t),
    'finding the policies of roles with sign-in histories': rolePoliciesQuery(
      db,
      t,
      historyKey.lookups,
      historyKey,
    ),
    'finding the policy of an application with sign-in histories': applicationPolicyQuery(
      db,
      t,
      'a',
      historyKey,
    ),
    'finding sign-in histories': historiesQuery(db, t, historyKey),
    ...Object.fromEntries(
      Object.entries(placeStatements(db, owner, hasModel(), { place, now: TEST_NOW })).map(
        ([name, statement]) => [`recording where a user signed in: ${name}`, statement],
      ),
    ),
    'counting second factors': enrolledFactorsQuery(db, t, [
      { by: 'id', value: 'a' },
      { by: 'email', value: 'a' },
      { by: 'phone', value: '1' },
      { by: 'username', value: 'a' },
      { by: 'identity', target: 'x', value: '1' },
    ]),
    'counting passkeys of a sign-in': passkeyOwnersQuery(db, t, [
      { by: 'username', value: 'a' },
      { by: 'identity', target: 'x', value: '1' },
    ]),
    'listing passkeys of a finished sign-in': passkeysQuery(db, t, loginUserId(model('Interaction'))),
    'finding a passkey': passkeyQuery(db, t, 'c'),
    'finding passkeys': existingPasskeysQuery(db, t, ['c', 'd']),
    'adding a passkey': insertPasskeyIf(db, t, hasModel(), passkey),
    'checking whether a passkey may be added': sql`select 1 where ${mayAddPasskey(t, passkey)}`,
    'using a passkey': recordPasskeyUse(
      db,
      t,
      { userId: 'a', id: 'c' },
      { counter: 1, isBackupEligible: true, isBackedUp: true, now: TEST_NOW, condition: hasModel() },
    ),
    'renaming a passkey': renamePasskey(db, t, { userId: 'a', id: 'c' }, 'n'),
    'removing a passkey': removePasskeyIf(db, t, { userId: 'a', id: 'c' }, hasPasskey(t, 'a', 'c')),
    'changing the domain of passkeys': sql`select 1 where ${mayUsePasskeyDomain(t, 'example.com')}`,
    'deferring a passkey': deferPasskeyOffer(db, owner, hasModel(), TEST_NOW),
    'reading an authenticator app': totpQuery(db, owner),
    'accepting a one-time code': acceptTotpStep(db, owner, { secret: 's', step: 1, now: TEST_NOW }),
    'adding an authenticator app': insertTotpIf(db, owner, hasModel(), {
      secret: 's',
      step: 1,
      now: TEST_NOW,
    }),
    'counting backup codes': backupCodeCountQuery(db, owner),
    'using a backup code': consumeBackupCode(db, owner, ['d', 'e']),
    ...Object.fromEntries(
      replaceBackupCodesIf(db, owner, hasModel(), { digests: ['d'], now: TEST_NOW }).map(
        (statement, index) => [`replacing backup codes (${index + 1})`, statement],
      ),
    ),
    ...Object.fromEntries(
      [
        ...(['passwordTries', 'passwordTriesPerNetwork'] as const).flatMap((name) =>
          refundAttempt(db, t, { key: 'k', name, windowStart: TEST_NOW, allowed: 5 }),
        ),
        ...clearConsecutiveFailures(db, t, 'a'),
      ].map((statement, index) => [`refunding an attempt (${index + 1})`, statement]),
    ),
    'checking whether a client is locked': findLockedCounters(db, t, clientTry, circumstances).query,
    'attempting a verification code of an interaction': attemptVerificationCode(db, t, {
      digests: ['x'],
      ...code,
      owner: { uid: 'i', type: 'SignIn' },
    }),
    ...Object.fromEntries(
      (['email', 'phone'] as const).map((type) => [
        `trying a generic code for a ${type}`,
        attemptVerificationCode(db, t, { digests: ['x'], ...code, owner: { generic: { type, value: 'a' } } }),
      ]),
    ),
    'changing the settings': changeSettings(db, t, { accountExistence: 'hidden' }),
    'finding due deliveries': db
      .select()
      .from(outbox)
      .where(sql`${outbox.status} = 'pending' and ${outbox.nextAttemptAt} <= ${TEST_NOW}`)
      .orderBy(outbox.nextAttemptAt)
      .limit(10),
    'claiming a due notice': db.update(notices).set({ attempts: 1 }).where(isNextNotice(TEST_NOW)),
    'inserting deliveries to hooks': enqueueHooks(db, t, hasModel(), hookOccasion, TEST_NOW),
    'inserting deliveries of an account event': enqueueHooks(
      db,
      t,
      hasModel(),
      { event: 'User.PasskeyRemoved', userId: 'a' },
      TEST_NOW,
    ),
    'inserting logout tokens': enqueueLogouts(db, t, hasModel(), {
      userId: 'a',
      issuer: 'https://i.example/oidc',
      now: TEST_NOW,
    }),
    'deleting revoked sessions and grants': sweepRevokedRows(db, t, 'a', TEST_NOW),
    'sweeping revoked sessions and grants': sweepMissedRevokedRows(db, { since: TEST_NOW, limit: 10 }),
    'reading the experience': experienceQuery(db, t),
    'reading a config': configQuery(db, t, 'k'),
    'finding consents': consentQuery(db, consentKey),
    'adding consents': addConsents(db, consentKey, [{ resource: '', scope: 'openid' }], {
      condition: hasModel(),
      now: TEST_NOW,
    }),
    'registering a client': clientRegistrationStatements(db, tokenUse, 100, newClient).statements.inserted,
    'storing a registered client': clientRegistrationStatements(db, tokenUse, 100, newClient).statements
      .client,
    'spending a registration token': clientRegistrationStatements(db, tokenUse, 100, newClient).statements
      .spent,
    'finding a registered client': registeredClientQuery(db, {
      tenantId: t,
      applicationId: 'a',
      tokenDigest: 'd',
    }),
    'listing consents': consentsQuery(db, t, 'a'),
    'deleting the grants of a withdrawn consent': consentWithdrawalStatements(db, consentKey).grants,
    'withdrawing consents': consentWithdrawalStatements(db, consentKey).consents,
    'withdrawing the consents of an unregistered client': clientWithdrawalStatements(db, consentKey).grants,
    'listing consents in grants': consentGrantsQuery(db, t, 'a'),
    'counting clients with grants only': accessCountQueries(db, t, 'a').appsWithGrants,
    'finding the grant of a refresh token with scopes': grantWithScopesQuery(db, model('RefreshToken')),
    'finding the scopes of a member': memberScopesQuery(db, t, {
      organizationId: 'o',
      userId: 'a',
      indicators: sql`'["urn:a"]'`,
    }),
    'finding the scopes of a machine': applicationScopesInOrganizationQuery(db, {
      tenantId: t,
      organizationId: 'o',
      applicationId: 'a',
      indicators: sql`'["urn:a"]'`,
    }),
    'finding the membership of a machine': organizationApplicationQuery(db, {
      tenantId: t,
      organizationId: 'o',
      applicationId: 'a',
    }),
    'finding the organisations of a user': membershipsOfUserQuery(db, t, 'a'),
    'finding the organisations for a claim': organizationsClaimQuery(db, t, 'a'),
    'marking the last used organisation': touchMembership(db, memberKey, TEST_NOW),
    'enqueueing the logouts of removed members': endMembershipAuthorizations(db, endedMemberships).logouts,
    'deleting the grants of removed members': endMembershipAuthorizations(db, endedMemberships).grants,
    'deleting a withdrawn grant': deleteWithdrawnGrant(db, consentKey, 'g'),
    'finding the resources on a consent page': requestedResourcesQuery(db, interactionKey),
    'finding the consents given before a consent page': earlierConsentsQuery(db, interactionKey),
    'finding a resource': resourceQuery(db, t, 'urn:a'),
    ...Object.fromEntries(
      Object.entries({
        token: tokenQueries(db, model('RefreshToken')),
        session: sessionQueries(db, model('Session')),
        'session and application': sessionQueries(db, model('Session'), 'shop'),
        interaction: resumeQueries(db, model('Interaction')),
      }).flatMap(([what, queries]) =>
        Object.entries(queries).map(([name, query]) => [`finding the ${name} of a ${what}`, query]),
      ),
    ),
    'finding the resources of a code': resourcesByNameQuery(
      db,
      t,
      tokenResources(model('AuthorizationCode')),
    ),
    'finding the scopes of the user of an interaction': scopesByResourceNameQuery(db, t, {
      userId: interactionUserId(model('Interaction')),
      indicators: indicatorSpellingsJson(['urn:a']),
    }),
    'finding the consents of the user of a session': consentQuery(db, {
      tenantId: t,
      userId: sessionUserId(model('Session')),
      applicationId: 'b',
    }),
    'using up a code': conditionQuery(consumeExisting(db, model('AuthorizationCode'), { now: TEST_NOW })),
    'using a proof': conditionQuery(
      claimSingleUse(db, { ...model('ReplayDetection'), payload: {}, expiresAt: TEST_NOW }),
    ),
    'finding the scopes of a user': userScopesQuery(db, t, 'a', 'urn:a'),
    'finding the scopes of an application': applicationScopesQuery(db, t, 'a', 'urn:a'),
    'reading a total': totalQuery(db, t, 'users'),
  }

  it.each(Object.entries(statements))('%s does not scan a table', async (_, statement) => {
    expect((await queryPlan(db, statement.getSQL())).filter(isScan)).toEqual([])
  })

  it('finding the invitation of a link does not read the other invitations of the tenant', async () => {
    const details = await queryPlan(db, invitationOfLinkQuery(db, t, ['d', 'e'], TEST_NOW).getSQL())
    expect(details.filter((detail) => / invitations USING /.test(detail))).toEqual([
      expect.stringContaining('INTEGER PRIMARY KEY (rowid=?)'),
      expect.stringContaining('invitations_sent (tenant_id=? AND sent_digest=?)'),
      expect.stringContaining('invitations_copied (tenant_id=? AND copied_digest=?)'),
    ])
  })

  it('finding a code by its owner, and deleting a receiver of deliveries, use indexes without empty entries', async () => {
    const usedIndexes = async (statement: SQL) =>
      (await queryPlan(db, statement)).flatMap(
        (detail) => / (?:passcodes|outbox) USING .*INDEX (\w+)/.exec(detail)?.[1] ?? [],
      )
    const generic = (type: 'email' | 'phone') => ({ generic: { type, value: 'a' } })
    const triedBy = (codeOwner: VerificationCodeOwner) =>
      usedIndexes(attemptVerificationCode(db, t, { digests: ['x'], ...code, owner: codeOwner }).getSQL())
    expect(await triedBy({ uid: 'i', type: 'SignIn' })).toEqual(['passcodes_interaction'])
    expect(await triedBy(generic('email'))).toEqual(['passcodes_email'])
    expect(await triedBy(generic('phone'))).toEqual(['passcodes_phone'])
    // The deletion cascades, and the plan includes the search for the rows that refer to the deleted one.
    expect(await usedIndexes(sql`delete from hooks where tenant_id = ${t} and id = 'h'`)).toEqual([
      'outbox_hook',
    ])
    expect(await usedIndexes(sql`delete from applications where tenant_id = ${t} and id = 'a'`)).toEqual([
      'outbox_application',
    ])
  })

  const timed = 'sqlite_autoindex_logs_1'
  it.each([
    { filter: {}, indexes: [timed, 'logs_newest'] },
    { filter: { from: 1, to: 2 }, indexes: [timed, 'logs_newest'] },
    { filter: { to: 2 }, indexes: [timed, 'logs_newest'] },
    { filter: { key: 'k' }, indexes: ['logs_key'] },
    { filter: { key: 'k', from: 1 }, indexes: ['logs_key'] },
    { filter: { userId: 'u' }, indexes: ['logs_user'] },
    { filter: { applicationId: 'a' }, indexes: ['logs_application'] },
    { filter: { interactionId: 'i' }, indexes: ['logs_interaction'] },
    { filter: { userId: 'u', to: 2 }, indexes: ['logs_user'] },
    { filter: { applicationId: 'a', key: 'k' }, indexes: ['logs_application'] },
    { filter: { applicationId: 'a', userId: 'u', key: 'k' }, indexes: ['logs_user'] },
    {
      filter: { key: 'k', userId: 'u', applicationId: 'a', interactionId: 'i' },
      indexes: ['logs_interaction'],
    },
    { filter: { by: 'u' }, indexes: ['logs_actor', 'logs_user', 'logs_application'] },
    { filter: { by: 'u', of: 'v', key: 'k' }, indexes: ['logs_actor', 'logs_user', 'logs_application'] },
    { filter: { of: 'v', to: 2 }, indexes: ['logs_user', 'logs_application'] },
  ])(
    'listing the audit entries of $filter reads their rows in order from $indexes',
    async ({ filter, indexes }) => {
      const plan = await plansOf(db, (explained) =>
        listLogs(explained, t, { page: 1, pageSize: 20, ...filter }),
      )
      const searched = plan.flatMap(
        (detail) => /^SEARCH logs USING (?:COVERING )?INDEX (\w+)/.exec(detail)?.[1] ?? [],
      )
      expect([...new Set(searched)].toSorted()).toEqual([...indexes].toSorted())
      expect(plan.filter(isScan)).toEqual([])
      // Only the entries of a page are sorted: once to find its last one, and once to cut it out.
      expect(plan.filter((detail) => detail.includes('TEMP B-TREE'))).toHaveLength(2 * indexes.length)
    },
  )

  it('finding the strongest password reads the first row of an index', async () => {
    expect(await queryPlan(db, costliestHashQuery(db, t).getSQL())).toEqual([
      expect.stringMatching('^SEARCH users USING INDEX users_password_work '),
    ])
  })

  it('listing rows reads them in order from an index', async () => {
    const page = { page: 1, pageSize: 20 }

    expect(await plansOf(db, (explained) => listApplications({ db: explained, seals }, t, page))).toEqual([
      expect.stringMatching('^SEARCH applications USING INDEX applications_newest '),
      expect.stringMatching('^SEARCH totals USING INDEX '),
    ])
    expect(await plansOf(db, (explained) => listUsers(explained, t, page))).toEqual([
      expect.stringMatching('^SEARCH users USING INDEX users_newest '),
      expect.stringMatching('^SEARCH totals USING INDEX '),
    ])
    for (const isSuspended of [true, false]) {
      const seen = await plansOf(db, (explained) => listUsers(explained, t, { ...page, isSuspended }))
      expect(seen[0]).toMatch(/^SEARCH users USING INDEX users_suspension /)
      expect(seen.filter((detail) => detail.includes('B-TREE'))).toEqual([])
    }
    const failed = await plansOf(db, (explained) => listFailedDeliveries(explained, t, 'h', page))
    expect(failed).toContainEqual(expect.stringMatching('^SEARCH outbox USING INDEX outbox_failed '))
    expect(failed.filter((detail) => isScan(detail) || detail.includes('TEMP B-TREE'))).toEqual([])
  })

  const fields = [...userSearchFields]
  it.each([
    { joint: 'or', terms: [{ mode: 'contains', fields, text: 'john' }] },
    {
      joint: 'or',
      terms: [
        { mode: 'exact', fields, values: ['john', 'jo'] },
        { mode: 'prefix', fields, text: 'jo' },
      ],
    },
    {
      joint: 'and',
      terms: [
        { mode: 'contains', fields, text: 'john' },
        { mode: 'prefix', fields, text: 'jo' },
      ],
    },
    {
      joint: 'and',
      terms: [
        { mode: 'contains', fields, text: 'john' },
        { mode: 'contains', fields, text: 'cash' },
      ],
    },
  ] satisfies Omit<UserSearch, 'isCaseSensitive'>[])(
    'searching uses indexes to find matching users: %j',
    async (search) => {
      const page = { page: 1, pageSize: 20 }
      for (const isCaseSensitive of [false, true]) {
        const seen = await plansOf(db, (explained) =>
          listUsers(explained, t, { ...page, search: { ...search, isCaseSensitive } }),
        )
        expect(seen.filter(isScan)).toEqual([])
        expect(seen.filter((detail) => detail.includes('users_newest'))).toEqual([])
      }
    },
  )

  it('searching for a common prefix reads the newest users, and searching for a rare prefix uses the field indexes', async () => {
    for (const isSuspended of [undefined, false]) {
      const search = { joint: 'or' as const, terms: [{ mode: 'prefix' as const, fields, text: 'jo' }] }
      const seen = await plansOf(db, (explained) =>
        listUsers(explained, t, {
          page: 1,
          pageSize: 20,
          isSuspended,
          search: { ...search, isCaseSensitive: false },
        }),
      )
      const newest = isSuspended === undefined ? 'users_newest' : 'users_suspension'
      expect(seen.filter((detail) => detail.startsWith(`SEARCH users USING INDEX ${newest} `))).toHaveLength(
        1,
      )
      const byField = ['users_id_unique', 'users_email_unique', 'users_by_phone', 'users_username_lower']
      for (const index of [...byField, 'users_name_lower']) expect(seen.join()).toContain(` INDEX ${index} (`)
      expect(seen.filter(isScan)).toEqual([])
    }
  })

  it.each([
    { sort: 'username', index: 'users_username_lower' },
    { sort: 'name', index: 'users_name_lower' },
    { sort: 'primaryEmail', index: 'users_email_unique' },
    { sort: 'createdAt', index: 'users_newest' },
  ] as const)('listing users by $sort reads them in the order of an index', async ({ sort, index }) => {
    const isOfAllUsers = (detail: string) =>
      /^SEARCH user(_identities|s_roles) .*\(tenant_id=\?\)/.test(detail)
    const filters = [
      { hasFactor: 'none' },
      { hasFactor: 'totp' },
      { provider: 'x' },
      { roleId: 'r' },
    ] as const
    for (const order of ['asc', 'desc'] as const) {
      const request = { page: 1, pageSize: 20, sort, order }
      const plan = await plansOf(db, (explained) => listUsers(explained, t, request))
      expect(plan[0]).toContain(`SEARCH users USING INDEX ${index} (`)
      expect(plan.filter((detail) => detail.includes('B-TREE') || isScan(detail))).toEqual([])
      for (const filter of filters) {
        const seen = await plansOf(db, (explained) => listUsers(explained, t, { ...request, ...filter }))
        expect(seen.filter(isOfAllUsers)).toEqual([])
        expect(seen.filter(isScan)).toEqual([])
        expect(seen.join()).toMatch(new RegExp(`SEARCH users USING (COVERING )?INDEX ${index} `))
      }
    }
  })

  it('sweeping does not scan a table', async () => {
    expect((await plansOf(db, (explained) => deleteExpired(explained, 0, 10))).filter(isScan)).toEqual([])
    const old = { before: 0, limit: 10 }
    const seen = await plansOf(db, (explained) => deleteOldLogs(explained, old))
    // The table of tenants is small and is scanned, but each tenant's rows are found through an index.
    expect(seen.filter(isScan).filter((detail) => !/tenants/.test(detail))).toEqual([])
    expect(seen.join()).toMatch(/ sqlite_autoindex_logs_1 \(tenant_id=\? AND id>\? AND id<\?\)/)
    expect(seen.join()).toContain(' logs_newest (tenant_id=? AND created_at<?)')
  })

  function hasModel(): SQL {
    return sql`exists (select 1 from ${models} where ${of('Interaction', eq(models.id, 'i'))})`
  }
})

function of(modelName: string, condition: SQL) {
  return and(eq(models.tenantId, t), eq(models.modelName, modelName), condition)
}

const model = (modelName: string) => ({ tenantId: t, modelName, id: 'a' })

const place = { country: 'DE', coordinates: null }
const historyKey = {
  lookups: [
    { by: 'id', value: 'a' },
    { by: 'email', value: 'a' },
    { by: 'identity', target: 'x', value: '1' },
  ],
  browserId: 'b',
} as const
const conditionQuery = ({ condition }: SingleUse) => sql`select 1 where ${condition}`
