import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { countBytes } from '../../../src/domain/applications/claim-template.ts'
import {
  findResourceByName,
  getResource,
  insertResource,
  resourceQuery,
  updateResource,
} from '../../../src/storage/access/resources.ts'
import {
  applicationScopesQuery,
  scopesByResourceNameQuery,
  userScopesQuery,
} from '../../../src/storage/access/roles.ts'
import { noPreviousSecret } from '../../../src/storage/applications/application-secrets.ts'
import {
  getApplication,
  listApplications,
  patchApplication,
  removeApplication,
} from '../../../src/storage/applications/applications.ts'
import { ALWAYS_TRUE } from '../../../src/storage/conditions.ts'
import { findInnermostMessage } from '../../../src/storage/database.ts'
import { changeExperience, readExperience } from '../../../src/storage/experience/experience.ts'
import { randomId } from '../../../src/storage/ids.ts'
import { insertLogs } from '../../../src/storage/logs.ts'
import {
  applicationsRoles,
  logs,
  resources,
  roles,
  rolesScopes,
  scopes,
  usersRoles,
} from '../../../src/storage/tables.ts'
import {
  insertConfigIfAbsent,
  mergeConfig,
  readConfig,
  replaceConfig,
} from '../../../src/storage/tenants/configs.ts'
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

describe.each(testDatabases)('templates of claims on $name', ({ db }) => {
  it('are limited to 2 kB of JSON by the database, too', async () => {
    const tenantId = await newTenant(db)
    const claims = { text: `${'ä'.repeat(1018)}x` }
    const resource = { id: 'api', name: 'API', indicator: 'https://api.example', accessTokenTtl: 60 }
    expect(countBytes(claims)).toBe(2048)
    await newApplication(db, tenantId, { claims })
    await insertResource(db, tenantId, { ...resource, claims }, ALWAYS_TRUE)
    const tooLarge = { text: `${claims.text}x` }
    const refusals = [
      newApplication(db, tenantId, { id: 'other', claims: tooLarge }),
      patchApplication(db, tenantId, 'shop', { claims: tooLarge }),
      insertResource(db, tenantId, { ...resource, id: 'other', claims: tooLarge }, ALWAYS_TRUE),
      updateResource(db, tenantId, { id: 'api', changes: { claims: tooLarge } }, ALWAYS_TRUE),
      db.run(sql`update applications set claims = 'no JSON' where tenant_id = ${tenantId}`),
    ]
    for (const result of await Promise.allSettled(refusals)) {
      expect(result.status).toBe('rejected')
      expect(findInnermostMessage((result as PromiseRejectedResult).reason)).toContain('claims_size')
    }
    expect((await getResource(db, tenantId, 'api'))?.claims).toEqual(claims)
    await patchApplication(db, tenantId, 'shop', { claims: null })
    expect((await getApplication({ db, seals }, tenantId, 'shop'))?.claims).toBeNull()
  })
})

describe.each(testDatabases)('applications on $name', ({ db }) => {
  it('are listed newest first, with their total', async () => {
    const tenantId = await newTenant(db)
    for (const age of [2, 1, 3])
      await newApplication(db, tenantId, { id: `a${age}`, createdAt: TEST_NOW - age })

    const { applications, total } = await listApplications({ db, seals }, tenantId, { page: 1, pageSize: 2 })

    expect([applications.map(({ id }) => id), total]).toEqual([['a1', 'a2'], 3])
  })

  it('are changed column by column, and deleted only in their own tenant', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    const stored = {
      tenantId,
      ...SHOP_APPLICATION,
      ...noPreviousSecret,
      secret: '',
      secretCreatedAt: SHOP_APPLICATION.createdAt,
    }
    expect(await newApplication(db, tenantId)).toEqual(stored)

    expect(await getApplication({ db, seals }, other, 'shop')).toBeNull()
    expect(await patchApplication(db, other, 'shop', { name: 'Stolen' })).toEqual([])
    expect(await removeApplication(db, other, 'shop')).toEqual([])

    const changes = { description: '', customClientMetadata: { isThirdParty: true } }
    expect(await patchApplication(db, tenantId, 'shop', changes)).toEqual([
      { ...stored, customClientMetadata: { isThirdParty: true } },
    ])
    expect(await removeApplication(db, tenantId, 'shop')).toMatchObject([{ id: 'shop' }])
    expect(await getApplication({ db, seals }, tenantId, 'shop')).toBeNull()
  })
})

describe.each(testDatabases)('the sign-in experience on $name', ({ db }) => {
  it('is patched column by column', async () => {
    const tenantId = await newSeededTenant(db)
    const before = await readExperience(db, tenantId)

    const changes = {
      customCss: 'a{}',
      termsOfUseUrl: 'https://a.example/terms',
      customContent: { '/sign-in': '<p>' },
    }
    expect(await changeExperience(db, tenantId, changes)).toEqual([{ ...before, ...changes }])
    expect(await changeExperience(db, tenantId, { customCss: '' })).toMatchObject([
      { customCss: null, termsOfUseUrl: 'https://a.example/terms' },
    ])
  })

  it.each(['{"type":"Wide"}', '{}'])('rejects any other layout: %s', async (layout) => {
    const tenantId = await newSeededTenant(db)
    const refused = db.run(
      sql`update sign_in_experiences set layout = ${layout} where tenant_id = ${tenantId}`,
    )
    await expect(refused).rejects.toSatisfy((error) => /page_layout_value/.test(findInnermostMessage(error)))
    expect(await readExperience(db, tenantId)).toMatchObject({ layout: { type: 'Card' } })
  })

  it('is null for a tenant that has none', async () => {
    const tenantId = await newTenant(db)
    expect(await readExperience(db, tenantId)).toBeNull()
    expect(await changeExperience(db, tenantId, { customCss: 'a{}' })).toEqual([])
  })
})

describe.each(testDatabases)('configuration on $name', ({ db }) => {
  it('returns the same value to all concurrent first requests', async () => {
    const tenantId = await newTenant(db)
    expect(await readConfig(db, tenantId, 'keys')).toBeNull()

    const values = await Promise.all(
      [1, 2, 3].map((value) => insertConfigIfAbsent(db, tenantId, 'keys', { value })),
    )

    const stored = await readConfig(db, tenantId, 'keys')
    expect(stored).not.toBeNull()
    expect(values).toEqual([stored, stored, stored])
  })

  it('is replaced only if it has not changed since it was read, and only in its tenant', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    await mergeConfig(db, tenantId, 'settings', { a: 1 })
    const to = { b: 2 }
    expect(await replaceConfig(db, tenantId, 'settings', { from: { a: 2 }, to })).toEqual([])
    expect(await replaceConfig(db, tenantId, 'settings', { from: { a: 1 }, to })).toHaveLength(1)

    expect(await readConfig(db, tenantId, 'settings')).toEqual({ b: 2 })
    expect(await readConfig(db, other, 'settings')).toBeNull()
  })
})

describe.each(testDatabases)('scopes on $name', ({ db }) => {
  it('are those that the roles of a user or application grant for a resource', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    for (const tenant of [tenantId, other]) {
      await newUser(db, tenant, { id: 'ann' })
      await newApplication(db, tenant)
    }
    const createdAt = TEST_NOW
    const scope = (id: string, resourceId: string) => ({
      tenantId,
      id,
      resourceId,
      name: `${id}:it`,
      createdAt,
    })
    const link = () => ({ tenantId, id: randomId() })
    await db.insert(resources).values([
      { tenantId, id: 'api', name: 'API', indicator: 'https://api.example' },
      { tenantId, id: 'else', name: 'Other', indicator: 'https://else.example' },
    ])
    await db
      .insert(scopes)
      .values([scope('read', 'api'), scope('write', 'api'), scope('admin', 'api'), scope('run', 'else')])
    await db.insert(roles).values(['one', 'two'].map((id) => ({ tenantId, id, name: id, description: '' })))
    await db.insert(rolesScopes).values([
      { ...link(), roleId: 'one', scopeId: 'read' },
      { ...link(), roleId: 'one', scopeId: 'run' },
      { ...link(), roleId: 'two', scopeId: 'read' },
      { ...link(), roleId: 'two', scopeId: 'write' },
    ])
    await db.insert(usersRoles).values(['one', 'two'].map((roleId) => ({ ...link(), userId: 'ann', roleId })))
    await db.insert(applicationsRoles).values({ ...link(), applicationId: 'shop', roleId: 'one' })

    const ofUser = (tenant: string, indicator: string) => userScopesQuery(db, tenant, 'ann', indicator)
    const [api, elsewhere] = ['https://api.example', 'https://else.example'] as const
    expect(names(await ofUser(tenantId, api))).toEqual(['read:it', 'write:it'])
    expect(names(await ofUser(tenantId, elsewhere))).toEqual(['run:it'])
    expect(names(await applicationScopesQuery(db, tenantId, 'shop', api))).toEqual(['read:it'])
    expect(names(await ofUser(other, api))).toEqual([])
    expect(names(await applicationScopesQuery(db, other, 'shop', api))).toEqual([])

    const named = (tenant: string, indicators: unknown) =>
      scopesByResourceNameQuery(db, tenant, {
        userId: sql`'ann'`,
        indicators: sql`${JSON.stringify(indicators)}`,
      })
    expect(names(await named(tenantId, [api, elsewhere]))).toEqual(['read:it', 'run:it', 'write:it'])
    expect(names(await named(tenantId, elsewhere))).toEqual(['run:it'])
    expect(names(await named(tenantId, null))).toEqual([])
    expect(names(await named(other, [api]))).toEqual([])
    const resource = async (tenant: string) => findResourceByName(await resourceQuery(db, tenant, api), api)
    expect(await resource(tenantId)).toMatchObject({
      id: 'api',
      accessTokenTtl: 3600,
    })
    expect(await resource(other)).toBeNull()
  })
})

describe.each(testDatabases)('audit rows on $name', ({ db }) => {
  it('are written together, each with its own id', async () => {
    const tenantId = await newTenant(db)
    const payload = {
      key: 'Interaction.SignIn.Submit',
      result: 'Success',
      userId: 'ann',
      params: { max_age: 1 },
    } as const
    await insertLogs(db, tenantId, [
      { key: payload.key, payload, createdAt: TEST_NOW },
      { id: 'given', key: payload.key, payload, createdAt: TEST_NOW },
    ])

    const rows = (await db.select().from(logs)).filter((row) => row.tenantId === tenantId)
    expect(rows).toMatchObject([
      { id: expect.stringMatching(/^~[\dA-Za-z]{20}$/), payload, userId: 'ann', applicationId: null },
      { id: 'given', payload, userId: 'ann' },
    ])
  })
})

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).toSorted()
