import { describe, expect, it } from 'vitest'
import { MAX_BRAND_PICTURES_BYTES } from '../../../src/contract/experience/brand-pictures.ts'
import { createBrandPictureCache } from '../../../src/storage/experience/brand-picture-cache.ts'
import {
  findDuePictures,
  listBrandPictureNames,
  readBrandPicture,
  settlePictures,
  storeBrandPicture,
  UNUSED_PICTURE_RETENTION,
} from '../../../src/storage/experience/brand-pictures.ts'
import { changeExperience } from '../../../src/storage/experience/experience.ts'
import { insertOrganization } from '../../../src/storage/organisations/organizations.ts'
import { newSeededTenant, newTenant, TEST_NOW, testDatabases } from '../databases.ts'

const content = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256)

describe.each(testDatabases)('brand pictures in $name', ({ db }) => {
  it('are returned byte by byte to their own tenant, and count towards its quota alone', async () => {
    const [tenantId, otherId] = [await newTenant(db), await newTenant(db)]
    const store = (tenant: string, name: string, bytes = content) =>
      storeBrandPicture(db, tenant, { name, content: bytes, now: TEST_NOW })
    expect(await store(tenantId, 'a.png')).toEqual([{ name: 'a.png' }])
    expect(await readBrandPicture(db, tenantId, 'a.png')).toEqual(content)
    expect(await readBrandPicture(db, otherId, 'a.png')).toBeNull()
    expect(await store(tenantId, 'b.png', new Uint8Array(MAX_BRAND_PICTURES_BYTES))).toEqual([])
    expect(await store(otherId, 'b.png')).toHaveLength(1)
    expect(await listBrandPictureNames(db, tenantId)).toEqual(['a.png'])
  })

  it('are not removed if they were uploaded again, or used, since they were found to be unused', async () => {
    const tenantId = await newSeededTenant(db)
    const store = (name: string, now = TEST_NOW) => storeBrandPicture(db, tenantId, { name, content, now })
    const names = ['used.png', 'again.png', 'unused.png', 'of-acme.png'].map((name) => `${tenantId}-${name}`)
    const [used = '', again = '', unused = '', ofAcme = ''] = names
    for (const name of names) await store(name)
    const now = TEST_NOW + UNUSED_PICTURE_RETENTION
    const due = (await findDuePictures(db, now, 1_000)).filter((picture) => picture.tenantId === tenantId)
    expect(due.map(({ isReferenced }) => isReferenced)).toEqual([false, false, false, false])
    const pictures = createBrandPictureCache(db, { now: () => now })
    expect(await pictures.get(tenantId, unused)).toEqual(content)

    await store(again, now)
    await changeExperience(db, tenantId, { branding: { logoUrl: `/assets/brand/${used}` } })
    const brand = { logo: `/assets/brand/${ofAcme}` }
    await insertOrganization(db, { tenantId, id: 'acme', name: 'Acme', brand, createdAt: now })
    const unusedPictures = due.map(({ name }) => ({ tenantId, name }))
    expect(await settlePictures(db, { used: [], unused: unusedPictures, now })).toBe(1)
    expect((await listBrandPictureNames(db, tenantId)).toSorted()).toEqual([again, used, ofAcme].toSorted())
    pictures.forget(tenantId)
    expect(await pictures.get(tenantId, unused)).toBeNull()
  })
})
