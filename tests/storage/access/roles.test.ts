import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  getResource,
  insertResource,
  listResources,
  resourceExists,
} from '../../../src/storage/access/resources.ts'
import {
  existingLinksQuery,
  existingMembersQuery,
  hasLink,
  insertLinks,
  insertMissingLinks,
  LINK_CONSTRAINTS,
  removeLink,
  removeOtherRoles,
} from '../../../src/storage/access/role-links.ts'
import {
  existingRolesQuery,
  insertRole,
  listRoles,
  listRolesOf,
  ROLE_NAME_CONSTRAINT,
  roleExists,
  roleQuery,
} from '../../../src/storage/access/role-list.ts'
import {
  listApplicationsOfRole,
  listScopesOfRole,
  listUsersOfRole,
  scopesOfRoleQuery,
} from '../../../src/storage/access/role-members.ts'
import {
  insertScope,
  listScopes,
  scopeExists,
  scopesOfResourcesQuery,
} from '../../../src/storage/access/scopes.ts'
import { sendBatch } from '../../../src/storage/batches.ts'
import { ALWAYS_TRUE } from '../../../src/storage/conditions.ts'
import { connectorsQuery } from '../../../src/storage/connectors/connectors.ts'
import { type Database, isUniqueViolation } from '../../../src/storage/database.ts'
import {
  allCustomPhrasesQuery,
  customLanguagesQuery,
  customPhrasesQuery,
  deleteCustomPhrasesIfUnused,
  getCustomPhrases,
  hasUnusedPhrases,
  putCustomPhrases,
} from '../../../src/storage/experience/custom-phrases.ts'
import { mergeConfig } from '../../../src/storage/tenants/configs.ts'
import type { TextSearch } from '../../../src/storage/text-search.ts'
import {
  newApplication,
  newSeededTenant,
  newTenant,
  newUser,
  SHOP_APPLICATION,
  seals,
  TEST_NOW,
  testDatabases,
} from '../databases.ts'
import { plansOf, queryPlan } from '../query-plans.ts'

const nothing = { joint: 'or', terms: [], isCaseSensitive: false } as const
const page = { page: 1, pageSize: 20 }
const ann = { kind: 'user', id: 'ann' } as const

/** Creates the role "editor", which is assigned to Ann, Bob and the shop and has two scopes. */
async function newRoles(db: Database) {
  const tenantId = await newTenant(db)
  for (const id of ['ann', 'bob']) await newUser(db, tenantId, { id, name: id })
  await newApplication(db, tenantId)
  const api = { id: 'api', name: 'API', indicator: 'https://api.example', accessTokenTtl: 60 }
  await insertResource(db, tenantId, api, ALWAYS_TRUE)
  for (const [index, id] of ['read', 'write'].entries()) {
    const scope = { id, resourceId: 'api', name: id, description: null, createdAt: TEST_NOW + index }
    await insertScope(db, tenantId, scope)
  }
  for (const id of ['editor', 'author']) await insertRole(db, tenantId, { id, name: id, description: '' })
  const links = (...memberIds: string[]) => memberIds.map((memberId) => ({ roleId: 'editor', memberId }))
  await sendBatch(db, [
    insertLinks(db, tenantId, 'user', links('ann', 'bob')),
    insertLinks(db, tenantId, 'application', links('shop')),
    insertLinks(db, tenantId, 'scope', links('read', 'write')),
  ])
  return tenantId
}

describe.each(testDatabases)('roles on $name', ({ db }) => {
  it('are listed, with their users, applications and scopes', async () => {
    const tenantId = await newRoles(db)
    const { roles, total } = await listRoles(db, tenantId, { ...page, search: nothing })
    expect([roles.map(({ id, usersCount }) => [id, usersCount]), total]).toEqual([
      [
        ['author', 0],
        ['editor', 2],
      ],
      2,
    ])
    expect(roles[1]?.featuredUsers).toEqual(
      expect.arrayContaining([
        { id: 'ann', avatar: null, name: 'ann' },
        { id: 'bob', avatar: null, name: 'bob' },
      ]),
    )
    const query = { ...page, roleId: 'editor' }
    expect(await listUsersOfRole(db, tenantId, query)).toMatchObject({
      users: [{ id: 'bob' }, { id: 'ann' }],
      total: 2,
      isCapped: false,
    })
    expect(await listApplicationsOfRole({ db, seals }, tenantId, query)).toMatchObject({
      applications: [{ tenantId, id: SHOP_APPLICATION.id, name: SHOP_APPLICATION.name }],
      total: 1,
    })
    const resource = {
      tenantId,
      id: 'api',
      name: 'API',
      indicator: 'https://api.example',
      accessTokenTtl: 60,
    }
    expect(await listScopesOfRole(db, tenantId, query)).toMatchObject({
      scopes: [
        { id: 'read', name: 'read', resource },
        { id: 'write', name: 'write', resource },
      ],
      total: 2,
    })
    expect(await scopesOfRoleQuery(db, tenantId, 'editor')).toMatchObject([{ id: 'read' }, { id: 'write' }])
    expect(
      await listRolesOf(db, tenantId, ann, { ...page, search: nothing, withInternal: false }),
    ).toMatchObject({
      roles: [{ id: 'editor' }],
      total: 1,
    })
    const withoutAnn = { ...page, search: nothing, withoutUserId: 'ann' }
    expect(await listRoles(db, tenantId, withoutAnn)).toMatchObject({ roles: [{ id: 'author' }], total: 1 })
  })

  it('are found only in their tenant', async () => {
    const [tenantId, other] = [await newRoles(db), await newTenant(db)]
    const query = { ...page, roleId: 'editor' }
    expect(await listRoles(db, other, { ...page, search: nothing })).toMatchObject({ roles: [], total: 0 })
    expect(
      await listRolesOf(db, other, ann, { ...page, search: nothing, withInternal: false }),
    ).toMatchObject({
      roles: [],
      total: 0,
    })
    expect((await listUsersOfRole(db, other, query)).users).toEqual([])
    expect((await listApplicationsOfRole({ db, seals }, other, query)).applications).toEqual([])
    expect((await listScopesOfRole(db, other, query)).scopes).toEqual([])
    expect(await scopesOfRoleQuery(db, other, 'editor')).toEqual([])
    expect(await roleQuery(db, other, 'editor')).toEqual([])
    expect(await existingRolesQuery(db, other, ['editor'])).toEqual([])
    expect((await listResources(db, other, page)).resources).toEqual([])
    expect(await getResource(db, other, 'api')).toBeNull()
    expect(await scopesOfResourcesQuery(db, other, ['api'])).toEqual([])
    const link = { roleId: 'editor', memberId: 'ann' }
    expect(await existingLinksQuery(db, other, 'user', [link])).toEqual([])
    expect(await existingMembersQuery(db, other, 'user', ['ann'])).toEqual([])
    expect(await removeLink(db, other, 'user', link)).toEqual([])
    await removeOtherRoles(db, other, 'ann', [])
    await insertLinks(db, other, 'user', [{ roleId: 'author', memberId: 'ann' }])
    expect((await listUsersOfRole(db, tenantId, query)).users).toHaveLength(2)
    expect((await listUsersOfRole(db, tenantId, { ...page, roleId: 'author' })).users).toEqual([])
  })

  it('are assigned only once, and only to existing members', async () => {
    const tenantId = await newRoles(db)
    const again = [{ roleId: 'editor', memberId: 'ann' }]
    const error = await insertLinks(db, tenantId, 'user', again).catch((thrown: unknown) => thrown)
    expect(isUniqueViolation(error)).toBe(LINK_CONSTRAINTS.user)
    const scope = await insertLinks(db, tenantId, 'scope', [{ roleId: 'editor', memberId: 'read' }]).catch(
      (thrown: unknown) => thrown,
    )
    expect(isUniqueViolation(scope)).toBe(LINK_CONSTRAINTS.scope)
    const role = await insertRole(db, tenantId, { id: 'twin', name: 'editor', description: '' }).catch(
      (thrown: unknown) => thrown,
    )
    expect(isUniqueViolation(role)).toBe(ROLE_NAME_CONSTRAINT)

    await insertMissingLinks(db, tenantId, 'user', [...again, { roleId: 'author', memberId: 'ann' }])
    await insertLinks(db, tenantId, 'user', [
      { roleId: 'author', memberId: 'unknown' },
      { roleId: 'nothing', memberId: 'ann' },
    ])
    expect((await listUsersOfRole(db, tenantId, { ...page, roleId: 'author' })).users).toHaveLength(1)
    await removeOtherRoles(db, tenantId, 'ann', ['author'])
    expect(await existingLinksQuery(db, tenantId, 'user', again)).toEqual([])
  })

  it('are read without table scans', async () => {
    const t = await newRoles(db)
    const search: TextSearch<'id' | 'name' | 'description'> = {
      joint: 'or',
      isCaseSensitive: false,
      terms: [
        { fields: ['id', 'name'], mode: 'like', pattern: ['%', { literal: 'edit' }, '%'] },
        { fields: ['description'], mode: 'exact', values: ['a', 'b'] },
      ],
    }
    const links = [{ roleId: 'editor', memberId: 'ann' }]
    const link = { roleId: 'editor', memberId: 'ann' }
    const statements = [
      roleQuery(db, t, 'editor').getSQL(),
      existingRolesQuery(db, t, ['editor']).getSQL(),
      scopesOfRoleQuery(db, t, 'editor').getSQL(),
      scopesOfResourcesQuery(db, t, ['api']).getSQL(),
      allCustomPhrasesQuery(db, t).getSQL(),
      customLanguagesQuery(db, t).getSQL(),
      customPhrasesQuery(db, t, 'de').getSQL(),
      deleteCustomPhrasesIfUnused(db, t, 'de').getSQL(),
      connectorsQuery(db, t).getSQL(),
      removeOtherRoles(db, t, 'ann', ['editor']).getSQL(),
      sql`select ${hasUnusedPhrases(t, 'de')}, ${roleExists(t, 'a')}, ${resourceExists(t, 'a')},
        ${scopeExists(t, { resourceId: 'a', id: 'b' })}`,
      ...(['user', 'application', 'scope'] as const).flatMap((kind) => [
        existingMembersQuery(db, t, kind, ['a']).getSQL(),
        existingLinksQuery(db, t, kind, links).getSQL(),
        insertLinks(db, t, kind, links).getSQL(),
        insertMissingLinks(db, t, kind, links).getSQL(),
        removeLink(db, t, kind, link).getSQL(),
        sql`select ${hasLink(t, kind, link)}`,
      ]),
    ]
    const seen = (await Promise.all(statements.map((statement) => queryPlan(db, statement)))).flat()
    const query = { ...page, roleId: 'editor' }
    for (const call of [
      (explained: Database) => listRoles(explained, t, { ...page, search: nothing }),
      (explained: Database) => listRoles(explained, t, { ...page, search, withoutUserId: 'ann' }),
      ...[ann, { kind: 'application', id: 'shop' } as const].map(
        (holder) => (explained: Database) =>
          listRolesOf(explained, t, holder, { ...page, search, withInternal: false }),
      ),
      (explained: Database) => listUsersOfRole(explained, t, query),
      (explained: Database) => listUsersOfRole(explained, t, { ...query, isSuspended: true }),
      (explained: Database) => listUsersOfRole(explained, t, { ...query, isSuspended: false }),
      (explained: Database) => listApplicationsOfRole({ db: explained, seals }, t, query),
      (explained: Database) => listScopesOfRole(explained, t, query),
      (explained: Database) => listResources(explained, t, page),
      (explained: Database) => listScopes(explained, t, { ...page, search, resourceId: 'api' }),
    ]) {
      seen.push(...(await plansOf(db, call)))
    }
    // `some` is a subquery that counts at most 10,000 rows. The other names are lists that the caller passes.
    expect(
      seen.filter((detail) => /^SCAN (?!CONSTANT ROW|json_each\b|some\b|requested\b|added\b)/.test(detail)),
    ).toEqual([])
    expect(seen.length).toBeGreaterThan(40)
    // No query reads all role assignments of a tenant.
    expect(seen.filter((detail) => /users_roles\S* \(tenant_id=\?\)$/.test(detail))).toEqual([])
  })

  it('list their users in index order, without sorting', async () => {
    const seen = await plansOf(db, (explained) =>
      listUsersOfRole(explained, 'default', { ...page, roleId: 'admin-role' }),
    )
    expect(seen.filter((detail) => detail.includes('B-TREE'))).toEqual([])
    expect(
      seen.filter((detail) => /^SEARCH users_roles USING COVERING INDEX users_roles_role /.test(detail)),
    ).toHaveLength(2)
  })
})

describe.each(testDatabases)('custom phrases on $name', ({ db }) => {
  it('have one row per language and tenant, and cannot be deleted for the fallback language', async () => {
    const [tenantId, other] = [await newSeededTenant(db), await newTenant(db)]
    const german = { id: 'one', languageTag: 'de', translation: { action: { back: 'Zurück' } } }
    await putCustomPhrases(db, tenantId, german)
    await putCustomPhrases(db, tenantId, { ...german, id: 'two', translation: {} })
    await putCustomPhrases(db, tenantId, { id: 'three', languageTag: 'en', translation: {} })

    expect(await getCustomPhrases(db, tenantId, 'de')).toEqual({ tenantId, ...german, translation: {} })
    expect(await getCustomPhrases(db, other, 'de')).toBeNull()
    expect(await customLanguagesQuery(db, tenantId)).toEqual([{ languageTag: 'de' }, { languageTag: 'en' }])
    expect(await allCustomPhrasesQuery(db, other)).toEqual([])

    expect(await deleteCustomPhrasesIfUnused(db, tenantId, 'en')).toEqual([])
    expect(await deleteCustomPhrasesIfUnused(db, other, 'de')).toEqual([])
    expect(await deleteCustomPhrasesIfUnused(db, tenantId, 'de')).toEqual([{ id: 'one' }])
  })
})

describe.each(testDatabases)('configuration on $name', ({ db }) => {
  it('is merged key by key', async () => {
    const tenantId = await newTenant(db)
    await mergeConfig(db, tenantId, 'console', { a: true })
    await mergeConfig(db, tenantId, 'console', { b: true })
    expect(await mergeConfig(db, tenantId, 'console', { a: false })).toEqual([
      { value: { a: false, b: true } },
    ])
  })
})
