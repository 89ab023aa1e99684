import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import { findInnermostMessage, isUniqueViolation } from '../../src/storage/database.ts'
import {
  applications,
  applicationsRoles,
  configs,
  connectors,
  consents,
  counters,
  customPhrases,
  hooks,
  logs,
  notices,
  oidcModelInstances,
  outbox,
  passcodes,
  resources,
  roles,
  rolesScopes,
  scopes,
  serviceLogs,
  signInExperiences,
  tenants,
  userIdentities,
  users,
  usersRoles,
  verificationStatuses,
} from '../../src/storage/tables.ts'
import { findTakenField } from '../../src/storage/users/user-changes.ts'
import { newTenant, newUser, sweptDatabases, TEST_NOW } from './databases.ts'

const id = 'x'
const createdAt = TEST_NOW
const text = (length: number) => 'é'.repeat(length)

const application = {
  id,
  name: 'Shop',
  secret: 's',
  type: 'SPA' as const,
  oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
  createdAt,
}
const connector = { id, connectorId: 'github', createdAt }
const hook = {
  id,
  event: 'PostSignIn',
  config: { url: 'https://a.example', retries: 3 },
  secret: 's',
  createdAt,
} as const
const instance = { modelName: 'Session', id, payload: {}, expiresAt: TEST_NOW }
const notice = {
  recipient: 'a@b.example',
  type: 'PasswordReset',
  host: 'a.example',
  requestId: 'r',
  nextAttemptAt: TEST_NOW,
} as const
const passcode = { id, type: 'SignIn', createdAt } as const
const resource = { id, name: 'API', indicator: 'https://api.example' }
const role = { id, name: 'editor', description: 'Edits' }
const user = { id, createdAt }

describe.each(sweptDatabases)('the tables on $name', ({ db }) => {
  const limits = [
    {
      what: 'a tenant id',
      length: 21,
      write: (_: string, value: string) => db.insert(tenants).values({ id: value, createdAt }),
    },
    {
      what: 'an application id',
      length: 21,
      write: (tenantId: string, value: string) =>
        db.insert(applications).values({ tenantId, ...application, id: value }),
    },
    {
      what: 'an application name',
      length: 256,
      write: (tenantId: string, name: string) =>
        db.insert(applications).values({ tenantId, ...application, name }),
    },
    {
      what: 'an application secret',
      length: 64,
      write: (tenantId: string, secret: string) =>
        db.insert(applications).values({ tenantId, ...application, secret }),
    },
    {
      what: 'a connector id',
      length: 128,
      write: (tenantId: string, value: string) =>
        db.insert(connectors).values({ tenantId, ...connector, id: value }),
    },
    {
      what: 'a connector factory id',
      length: 128,
      write: (tenantId: string, connectorId: string) =>
        db.insert(connectors).values({ tenantId, ...connector, connectorId }),
    },
    {
      what: 'a language tag',
      length: 16,
      write: (tenantId: string, languageTag: string) =>
        db.insert(customPhrases).values({ tenantId, id, languageTag, translation: {} }),
    },
    {
      what: 'a log key',
      length: 128,
      write: (tenantId: string, key: string) =>
        db.insert(logs).values({ tenantId, id, key, payload: { key, result: 'Success' }, createdAt }),
    },
    {
      what: 'a config key',
      length: 256,
      write: (tenantId: string, key: string) => db.insert(configs).values({ tenantId, key, value: {} }),
    },
    {
      what: 'a model name',
      length: 64,
      write: (tenantId: string, modelName: string) =>
        db.insert(oidcModelInstances).values({ tenantId, ...instance, modelName }),
    },
    {
      what: 'a model id',
      length: 128,
      write: (tenantId: string, value: string) =>
        db.insert(oidcModelInstances).values({ tenantId, ...instance, id: value }),
    },
    {
      what: 'an interaction of a code',
      length: 128,
      write: (tenantId: string, interactionJti: string) =>
        db.insert(passcodes).values({ tenantId, ...passcode, interactionJti }),
    },
    {
      what: 'the phone of a code',
      length: 32,
      write: (tenantId: string, phone: string) =>
        db.insert(passcodes).values({ tenantId, ...passcode, phone }),
    },
    {
      what: 'the e-mail of a code',
      length: 128,
      write: (tenantId: string, email: string) =>
        db.insert(passcodes).values({ tenantId, ...passcode, email }),
    },
    {
      what: 'a code',
      length: 6,
      write: (tenantId: string, code: string) => db.insert(passcodes).values({ tenantId, ...passcode, code }),
    },
    {
      what: 'a role name',
      length: 128,
      write: (tenantId: string, name: string) => db.insert(roles).values({ tenantId, ...role, name }),
    },
    {
      what: 'a role description',
      length: 128,
      write: (tenantId: string, description: string) =>
        db.insert(roles).values({ tenantId, ...role, description }),
    },
    {
      what: 'a service log type',
      length: 64,
      write: (tenantId: string, type: string) =>
        db.insert(serviceLogs).values({ tenantId, id, type, payload: {}, createdAt }),
    },
    {
      what: 'a terms address',
      length: 2048,
      write: (tenantId: string, termsOfUseUrl: string) =>
        db.insert(signInExperiences).values({ tenantId, ...DEFAULT_EXPERIENCE, termsOfUseUrl }),
    },
    {
      what: 'a user id',
      length: 12,
      write: (tenantId: string, value: string) => db.insert(users).values({ tenantId, ...user, id: value }),
    },
    {
      what: 'a username',
      length: 128,
      write: (tenantId: string, username: string) => db.insert(users).values({ tenantId, ...user, username }),
    },
    {
      what: 'an e-mail',
      length: 128,
      write: (tenantId: string, primaryEmail: string) =>
        db.insert(users).values({ tenantId, ...user, primaryEmail }),
    },
    {
      what: 'a phone number',
      length: 128,
      write: (tenantId: string, primaryPhone: string) =>
        db.insert(users).values({ tenantId, ...user, primaryPhone }),
    },
    {
      what: 'a password hash',
      length: 512,
      write: (tenantId: string, passwordEncrypted: string) =>
        db.insert(users).values({ tenantId, ...user, passwordEncrypted }),
    },
    {
      what: 'a name',
      length: 128,
      write: (tenantId: string, name: string) => db.insert(users).values({ tenantId, ...user, name }),
    },
    {
      what: 'an avatar',
      length: 2048,
      write: (tenantId: string, avatar: string) => db.insert(users).values({ tenantId, ...user, avatar }),
    },
  ]

  it.each(limits)('hold at most $length characters of $what', async ({ length, write }) => {
    const tenantId = await newTenant(db)
    // Tenant ids must be unique across all tenants.
    const fitting = length === 21 ? tenantId.slice(0, 20).padEnd(21, 'é') : text(length)

    await expect(write(tenantId, `${fitting}x`)).rejects.toSatisfy((error) =>
      /CHECK constraint failed/.test(findInnermostMessage(error)),
    )
    await write(tenantId, fitting)
  })

  // The types already forbid these values, but the database must also reject them.
  it.each([
    ["insert into users (tenant_id, id, created_at, password_encryption_method) values (?, 'x', 1, 'MD5')"],
    ["insert into users (tenant_id, id, created_at, is_suspended) values (?, 'x', 1, 2)"],
    ["insert into users (tenant_id, id, created_at, profile) values (?, 'x', 1, '[]')"],
    [
      "insert into hooks (tenant_id, id, event, config, secret, created_at) values (?, 'x', 'PreSignIn', '{}', 's', 1)",
    ],
    ["insert into passcodes (tenant_id, id, type, created_at) values (?, 'x', 'Unknown', 1)"],
    [
      "insert into applications (tenant_id, id, name, secret, type, oidc_client_metadata, created_at) values (?, 'x', 'n', 's', 'Web', '{}', 1)",
    ],
    [
      "insert into outbox (tenant_id, id, event, payload, next_attempt_at, created_at) values (?, 'x', 'PostSignIn', '{}', 1, 1)",
    ],
  ])('reject values that the types forbid: %s', async (statement) => {
    const tenantId = await newTenant(db)
    const [before = '', after = ''] = statement.split('?')

    await expect(db.run(sql`${sql.raw(before)}${tenantId}${sql.raw(after)}`)).rejects.toSatisfy((error) =>
      /CHECK constraint failed/.test(findInnermostMessage(error)),
    )
  })

  it('have defaults for omitted columns', async () => {
    const tenantId = await newTenant(db)
    await db.insert(applications).values({ tenantId, ...application })
    await db.insert(hooks).values({ tenantId, ...hook })

    const [row] = await db
      .insert(users)
      .values({ tenantId, ...user })
      .returning()
    expect(row).toMatchObject({
      username: null,
      passwordEncryptionMethod: null,
      identities: {},
      customData: {},
      emailVerified: true,
      phoneVerified: true,
      isSuspended: false,
      profile: {},
      revokedAt: null,
      lastSignInAt: null,
    })
    expect(
      (
        await db
          .insert(connectors)
          .values({ tenantId, ...connector })
          .returning()
      )[0],
    ).toMatchObject({
      syncProfile: false,
      config: {},
      metadata: {},
    })
    expect(
      (
        await db
          .insert(resources)
          .values({ tenantId, ...resource })
          .returning()
      )[0]?.accessTokenTtl,
    ).toBe(3600)
    expect(
      (
        await db
          .insert(passcodes)
          .values({ tenantId, ...passcode })
          .returning()
      )[0],
    ).toMatchObject({
      consumed: false,
      tryCount: 0,
      code: null,
    })
    const delivery = {
      tenantId,
      id,
      hookId: id,
      event: 'PostSignIn',
      payload: {},
      nextAttemptAt: TEST_NOW,
      createdAt,
    }
    expect((await db.insert(outbox).values(delivery).returning())[0]).toMatchObject({
      attempts: 0,
      status: 'pending',
    })
    expect(
      (await db.select().from(applications).where(eq(applications.tenantId, tenantId)))[0],
    ).toMatchObject({
      customClientMetadata: {},
      description: null,
    })
  })

  it('store an empty string as null', async () => {
    const tenantId = await newTenant(db)

    const written = [
      await newUser(db, tenantId, { name: '', username: '' }),
      await newUser(db, tenantId, { name: '', username: '' }),
    ]

    expect(written.map(({ name, username }) => [name, username])).toEqual([
      [null, null],
      [null, null],
    ])
  })

  it.each([
    { what: 'usernames', one: { username: 'ann' }, other: { username: 'ann' } },
    {
      what: 'e-mails in any case',
      one: { primaryEmail: 'ann@x.example' },
      other: { primaryEmail: 'Ann@X.example' },
    },
    { what: 'phones', one: { primaryPhone: '4915112345678' }, other: { primaryPhone: '4915112345678' } },
    {
      what: 'social identities',
      one: { identities: { github: { userId: '7' } } },
      other: { identities: { google: { userId: '7' }, github: { userId: '7' } } },
    },
  ])('require unique $what within a tenant, but not across tenants', async ({ one, other }) => {
    const [first, second] = [await newTenant(db), await newTenant(db)]
    await newUser(db, first, one)

    await expect(newUser(db, first, other)).rejects.toSatisfy((error) => isUniqueViolation(error) !== null)
    await newUser(db, second, other)
  })

  it('accept a username only once per tenant, regardless of case', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    await newUser(db, tenantId, { username: 'ann' })
    await newUser(db, other, { username: 'Ann' })
    await expect(newUser(db, tenantId, { username: 'Ann' })).rejects.toSatisfy(
      (error) => findTakenField(error) === 'username',
    )
  })

  it('require unique languages, indicators and role names per tenant, and scope names per resource', async () => {
    const tenantId = await newTenant(db)
    const scope = { tenantId, resourceId: id, name: 'read', createdAt }
    const twice = [
      (key: string) =>
        db.insert(customPhrases).values({ tenantId, id: key, languageTag: 'fr', translation: {} }),
      (key: string) => db.insert(resources).values({ tenantId, ...resource, id: key }),
      (key: string) => db.insert(roles).values({ tenantId, ...role, id: key }),
      (key: string) => db.insert(scopes).values({ ...scope, id: key }),
    ]
    for (const insert of twice) {
      await insert('x')
      await expect(insert('y')).rejects.toSatisfy((error) => isUniqueViolation(error) !== null)
    }
  })

  it('delete the rows that belong to a deleted user, application, resource or tenant', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id, identities: { github: { userId: '7' } } })
    const other = await newUser(db, tenantId, {})
    await db.batch([
      db.insert(applications).values({ tenantId, ...application }),
      db.insert(resources).values({ tenantId, ...resource }),
      db.insert(scopes).values({ tenantId, id, resourceId: id, name: 'read', createdAt }),
      db.insert(roles).values({ tenantId, ...role }),
      db.insert(rolesScopes).values({ tenantId, id, roleId: id, scopeId: id }),
      db.insert(usersRoles).values({ tenantId, id, userId: id, roleId: id }),
      db.insert(applicationsRoles).values({ tenantId, id, applicationId: id, roleId: id }),
      db.insert(verificationStatuses).values({ tenantId, id, userId: id, createdAt }),
      db.insert(consents).values([
        { tenantId, userId: id, applicationId: id, resource: '', scope: 'openid', createdAt },
        { tenantId, userId: other.id, applicationId: id, resource: '', scope: 'openid', createdAt },
      ]),
      db.insert(notices).values({ tenantId, userId: id, id, ...notice, createdAt }),
      db.insert(counters).values({ tenantId, key: id, windowStart: TEST_NOW, expiresAt: TEST_NOW }),
    ])
    const remaining = async () => {
      const tables = {
        userIdentities,
        verificationStatuses,
        consents,
        notices,
        usersRoles,
        applicationsRoles,
        rolesScopes,
        scopes,
        counters,
      }
      const counts = await Promise.all(
        Object.entries(tables).map(async ([name, table]) => {
          const rows = await db
            .select({ tenantId: table.tenantId })
            .from(table)
            .where(eq(table.tenantId, tenantId))
          return rows.length > 0 ? [name] : []
        }),
      )
      return counts.flat()
    }

    await db.delete(users).where(and(eq(users.tenantId, tenantId), eq(users.id, id)))
    expect(await remaining()).toEqual(['consents', 'applicationsRoles', 'rolesScopes', 'scopes', 'counters'])
    await db.delete(applications).where(eq(applications.tenantId, tenantId))
    expect(await remaining()).toEqual(['rolesScopes', 'scopes', 'counters'])
    await db.delete(resources).where(eq(resources.tenantId, tenantId))
    expect(await remaining()).toEqual(['counters'])
    await db.delete(tenants).where(eq(tenants.id, tenantId))
    expect(await remaining()).toEqual([])
  })

  it('reject a reference to another tenant’s row', async () => {
    const [first, second] = [await newTenant(db), await newTenant(db)]
    await db.insert(resources).values({ tenantId: first, ...resource })

    await expect(
      db.insert(scopes).values({ tenantId: second, id, resourceId: id, name: 'read', createdAt }),
    ).rejects.toSatisfy((error) => /FOREIGN KEY constraint failed/.test(findInnermostMessage(error)))
  })

  it('expose payload values as columns', async () => {
    const tenantId = await newTenant(db)
    const payload = { accountId: 'u', grantId: 'g', uid: 'i', userCode: 'c', sessionUid: 's', clientId: 'a' }
    await db.insert(oidcModelInstances).values({ tenantId, ...instance, payload })

    const [row] = await db
      .select()
      .from(oidcModelInstances)
      .where(and(eq(oidcModelInstances.tenantId, tenantId), eq(oidcModelInstances.accountId, 'u')))
    expect(row).toEqual({ tenantId, ...instance, payload, ...payload, consumedAt: null, consumedBy: null })
  })
})
