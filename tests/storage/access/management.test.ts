import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { planLikeSearch } from '../../../src/domain/like-pattern.ts'
import {
  isDataWithinLimit,
  mergedCustomData,
  setCustomDataIf,
} from '../../../src/storage/account/custom-data.ts'
import {
  applicationExists,
  getApplicationWithRole,
  grantAdminRole,
  patchApplication,
  removeApplication,
  revokeAdminRole,
} from '../../../src/storage/applications/applications.ts'
import { sendBatch } from '../../../src/storage/batches.ts'
import { commitChange } from '../../../src/storage/commit.ts'
import { changeExperience } from '../../../src/storage/experience/experience.ts'
import { logs } from '../../../src/storage/tables.ts'
import { listUsers, SearchTooLargeError } from '../../../src/storage/users/user-list.ts'
import { type UserSearchTerm, userSearchFields } from '../../../src/storage/users/user-search.ts'
import { removeUser, userExists } from '../../../src/storage/users/users.ts'
import {
  newApplication,
  newSeededTenant,
  newTenant,
  newUser,
  seals,
  TEST_NOW,
  testDatabases,
} from '../databases.ts'

const log = { key: 'Test', payload: { key: 'Test', result: 'Success' as const }, createdAt: TEST_NOW }

describe.each(testDatabases)('changes through the management API on $name', ({ db }) => {
  async function newTenantWithShop() {
    const tenantId = await newSeededTenant(db)
    const redirectUris = ['https://a.example']
    await newApplication(db, tenantId, {
      oidcClientMetadata: { redirectUris, postLogoutRedirectUris: [], logoUri: 'https://l' },
      customClientMetadata: { idTokenTtl: 60 },
    })
    return tenantId
  }

  const logged = async (tenantId: string) =>
    (await db.select().from(logs).where(sql`${logs.tenantId} = ${tenantId}`)).length

  it('merge metadata in the database and remove keys that are null', async () => {
    const tenantId = await newTenantWithShop()
    const [patched] = await patchApplication(db, tenantId, 'shop', {
      name: 'Store',
      oidcClientMetadata: { redirectUris: ['https://b.example'], logoUri: null },
      customClientMetadata: { isThirdParty: true },
    })
    expect(patched).toMatchObject({
      name: 'Store',
      oidcClientMetadata: { redirectUris: ['https://b.example'], postLogoutRedirectUris: [] },
      customClientMetadata: { idTokenTtl: 60, isThirdParty: true },
    })
    expect(patched?.oidcClientMetadata).not.toHaveProperty('logoUri')
    expect(await patchApplication(db, tenantId, 'shop', {})).toEqual([patched])
    expect(await patchApplication(db, tenantId, 'none', { name: 'None' })).toEqual([])
  })

  it('add the administrator role to an application once, even if it is granted twice', async () => {
    const tenantId = await newTenantWithShop()
    const isAdmin = async () => (await getApplicationWithRole({ db, seals }, tenantId, 'shop'))?.isAdmin
    expect(await isAdmin()).toBe(false)
    await sendBatch(db, [grantAdminRole(db, tenantId, 'shop'), grantAdminRole(db, tenantId, 'none')])
    await grantAdminRole(db, tenantId, 'shop')
    expect(await isAdmin()).toBe(true)
    await revokeAdminRole(db, tenantId, 'shop')
    expect(await isAdmin()).toBe(false)
    expect(await getApplicationWithRole({ db, seals }, tenantId, 'none')).toBeNull()
  })

  it('write an audit entry only if they change a row', async () => {
    const tenantId = await newTenantWithShop()
    await newUser(db, tenantId, { id: 'ann' })
    for (const times of [1, 1]) {
      await commitChange(db, {
        tenantId,
        condition: applicationExists(tenantId, 'shop'),
        audit: log,
        statements: { removed: removeApplication(db, tenantId, 'shop') },
      })
      expect(await logged(tenantId)).toBe(times)
    }
    for (const times of [2, 2]) {
      await commitChange(db, {
        tenantId,
        condition: userExists(tenantId, 'ann'),
        audit: log,
        statements: { removed: removeUser(db, tenantId, 'ann') },
      })
      expect(await logged(tenantId)).toBe(times)
    }
  })

  it('merge the top level of custom data, within the size limit', async () => {
    const tenantId = await newTenant(db)
    const before = { b: [1, { c: 'é"\\' }], 7: null, a: 0.1, 'x"y': { z: null }, '': 1e21, gone: 1, $: 'Ⅷ😀' }
    await newUser(db, tenantId, { id: 'ann', customData: before })
    const merge = (patch: Record<string, unknown>, most = 1_000) => {
      const data = mergedCustomData(patch)
      const condition = isDataWithinLimit(tenantId, 'ann', { data, most })
      return setCustomDataIf(db, tenantId, condition, { id: 'ann', data })
    }
    const patch = {
      a: { n: null, m: [null, { k: null }] },
      'x"y': { q: 0.1 + 0.2 },
      '': null,
      b: '\u0001"null"',
    }
    const [merged] = await merge({ ...patch, gone: undefined })
    const { gone: _gone, ...unchanged } = before
    expect(merged?.customData).toEqual({ ...unchanged, ...patch })
    // The size is measured in bytes. One of these characters takes three bytes, and another takes four.
    const size = Buffer.byteLength(JSON.stringify({ ...unchanged, ...patch, more: 1 }))
    expect(await merge({ more: 1 }, size - 1)).toEqual([])
    expect(await merge({ more: 1 }, size)).toHaveLength(1)
  })

  it('return the changed sign-in experience', async () => {
    const tenantId = await newSeededTenant(db)
    const { changed } = await commitChange(db, {
      tenantId,
      audit: log,
      statements: { changed: changeExperience(db, tenantId, { customCss: 'a{}' }) },
    })
    expect(changed).toMatchObject([{ tenantId, customCss: 'a{}' }])
  })
})

describe.each(testDatabases)('a search for users by pattern on $name', ({ db }) => {
  const term = (pattern: string, fields: UserSearchTerm['fields'] = ['username']): UserSearchTerm => {
    const plan = planLikeSearch(pattern)
    if (!plan) throw new Error(`no plan for ${pattern}`)
    return { fields, ...plan }
  }

  it.each([
    { pattern: '%smith', isCaseSensitive: false, ids: ['s1', 's2'] },
    { pattern: '%smith', isCaseSensitive: true, ids: ['s2'] },
    { pattern: 'ann_\\_smith', isCaseSensitive: false, ids: ['s1', 's2'] },
    { pattern: 'ann_\\_smith', isCaseSensitive: true, ids: ['s2'] },
    { pattern: '_nna%', isCaseSensitive: false, ids: ['s1', 's2', 's3'] },
    { pattern: 'a%x', isCaseSensitive: false, ids: ['s3'] },
  ])(
    'finds $ids for $pattern (case-sensitive: $isCaseSensitive)',
    async ({ pattern, isCaseSensitive, ids }) => {
      const tenantId = await newTenant(db)
      for (const [id, name] of [
        ['s1', 'Anna_Smith'],
        ['s2', 'anna_smith'],
        ['s3', 'annasmithx'],
      ]) {
        await newUser(db, tenantId, { id: id ?? '', name: name ?? null })
      }
      for (const joint of ['or', 'and'] as const) {
        const { users } = await listUsers(db, tenantId, {
          page: 1,
          pageSize: 10,
          search: { joint, terms: [term(pattern, ['name'])], isCaseSensitive },
        })
        expect(users.map(({ id }) => id).toSorted()).toEqual(ids)
      }
    },
  )

  it('is rejected without a query if it needs more parameters than a statement allows', async () => {
    const terms = Array.from({ length: 12 }, () => term('a_b%', userSearchFields))
    const search = { joint: 'and' as const, terms, isCaseSensitive: true }
    await expect(listUsers(db, 'default', { page: 1, pageSize: 10, search })).rejects.toThrow(
      SearchTooLargeError,
    )
  })
})
