import { BoundedMap } from '../../domain/bounded-map.ts'
import { createCache } from '../cache.ts'
import type { Database } from '../database.ts'

/**
 * Reads the pictures of tenants' brands. The names of a tenant's pictures are cached like settings
 * (spec/storage#settings-cache), so a made-up name costs no read of the database.
 */
export type BrandPictureCache = {
  /** Reports whether the tenant has a picture with this name. */
  has(tenantId: string, name: string): Promise<boolean>
  /** Returns the content of a picture, or null if the tenant has none with this name. */
  get(tenantId: string, name: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** Removes the cached names of a tenant, so that the next request sees a picture that was just stored. */
  forget(tenantId: string): void
}

/** The maximum number of pictures that an isolate keeps, which take at most 8 MiB. */
const MAX_CONTENTS = 32

export function createBrandPictureCache(db: Database, { now }: { now: () => number }): BrandPictureCache {
  const load = () => import('./brand-pictures.ts')
  const names = createCache(
    async (tenantId) => new Set(await (await load()).listBrandPictureNames(db, tenantId)),
    { now },
  )
  /** The contents by tenant and name. They never change, because the name is their hash. */
  const contents = new BoundedMap<string, Uint8Array<ArrayBuffer>>(MAX_CONTENTS)

  const has = async (tenantId: string, name: string) => (await names.get(tenantId)).has(name)
  return {
    has,
    async get(tenantId, name) {
      if (!(await has(tenantId, name))) return null
      const key = `${tenantId}/${name}`
      const content = contents.get(key) ?? (await (await load()).readBrandPicture(db, tenantId, name))
      if (content) contents.set(key, content)
      return content
    },
    forget: names.forget,
  }
}
