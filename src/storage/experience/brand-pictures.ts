import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import {
  BRAND_PICTURE_PREFIX,
  MAX_BRAND_PICTURES,
  MAX_BRAND_PICTURES_BYTES,
} from '../../contract/experience/brand-pictures.ts'
import { DAY } from '../../contract/time.ts'
import { runInOneBatch } from '../batches.ts'
import { type Condition, not } from '../conditions.ts'
import type { Database } from '../database.ts'
import {
  applications,
  brandPictures,
  configs,
  connectors,
  organizations,
  signInExperiences,
  users,
} from '../tables.ts'

/** The pictures of a tenant's brand (spec/storage#brand-pictures). */

/** The time for which a picture that nothing uses is stored, so that an operator can save the form that names it. */
export const UNUSED_PICTURE_RETENTION = DAY

type PictureKey = { tenantId: string; name: string }
type NewPicture = { name: string; content: Uint8Array<ArrayBuffer>; now: number }

/** The condition that a picture fits into the quota of its tenant. A picture that is already stored always fits. */
export function fitsPictureQuota(tenantId: string, { name, content }: Omit<NewPicture, 'now'>): Condition {
  const totals = sql`select 1 from (select count(*) as pictures, coalesce(sum(size), 0) as bytes from ${brandPictures}
    where tenant_id = ${tenantId} and name <> ${name})
    where pictures < ${MAX_BRAND_PICTURES} and bytes + ${content.byteLength} <= ${MAX_BRAND_PICTURES_BYTES}`
  return sql`exists (${totals})`
}

/**
 * Stores a picture if it fits into the quota, in which case the statement returns a row. A picture that is already
 * stored is kept for as long as a new one.
 */
export const storeBrandPicture = (db: Database, tenantId: string, picture: NewPicture) =>
  db.all<{
    name: string
  }>(sql`insert into ${brandPictures} (tenant_id, name, size, created_at, check_at, content)
    select ${tenantId}, ${picture.name}, ${picture.content.byteLength}, ${picture.now},
      ${picture.now + UNUSED_PICTURE_RETENTION}, ${picture.content}
    where ${fitsPictureQuota(tenantId, picture)}
    on conflict (tenant_id, name) do update set check_at = excluded.check_at
    returning name`)

export async function listBrandPictureNames(db: Database, tenantId: string): Promise<string[]> {
  const rows = await db
    .select({ name: brandPictures.name })
    .from(brandPictures)
    .where(eq(brandPictures.tenantId, tenantId))
  return rows.map(({ name }) => name)
}

export async function readBrandPicture(
  db: Database,
  tenantId: string,
  name: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const [row] = await db
    .select({ content: brandPictures.content })
    .from(brandPictures)
    .where(hasKey({ tenantId, name }))
  return row?.content ?? null
}

/** A picture that is due to be checked. `isReferenced` tells whether a setting that is not sealed contains its name. */
export type DuePicture = PictureKey & { isReferenced: boolean }

export async function findDuePictures(db: Database, now: number, limit: number): Promise<DuePicture[]> {
  const { tenantId, name } = brandPictures
  const rows = await db
    .select({ tenantId, name, isReferenced: sql<number>`${isReferenced}` })
    .from(brandPictures)
    .where(lte(brandPictures.checkAt, now))
    .orderBy(asc(brandPictures.checkAt))
    .limit(limit)
  return rows.map((row) => ({ ...row, isReferenced: row.isReferenced === 1 }))
}

/**
 * Keeps pictures that are in use for another day, and removes unused ones, unless they were uploaded again or
 * referenced since they were checked. Returns the number of removed pictures.
 */
export async function settlePictures(
  db: Database,
  { used, unused, now }: { used: readonly PictureKey[]; unused: readonly PictureKey[]; now: number },
): Promise<number> {
  const { removed } = await runInOneBatch(db, {
    kept: used.map((picture) =>
      db
        .update(brandPictures)
        .set({ checkAt: now + UNUSED_PICTURE_RETENTION })
        .where(hasKey(picture)),
    ),
    removed: unused.map((picture) =>
      db
        .delete(brandPictures)
        .where(and(hasKey(picture), lte(brandPictures.checkAt, now), not(isReferenced)))
        .returning({ name: brandPictures.name }),
    ),
  })
  return removed.length
}

const hasKey = ({ tenantId, name }: PictureKey) =>
  and(eq(brandPictures.tenantId, tenantId), eq(brandPictures.name, name))

/**
 * The condition that a setting, an application, an organisation or a user of the same tenant mentions the picture. Configurations of
 * connectors are sealed, so the sweep looks for pictures in their templates itself. The columns are written out,
 * because Drizzle leaves out the names of tables in a selection.
 */
const isReferenced = sql`(
  exists (select 1 from ${signInExperiences} as page where page.tenant_id = brand_pictures.tenant_id and ${mentions('page.branding', 'page.layout', 'page.custom_css', 'page.custom_content')})
  or exists (select 1 from ${connectors} as connector where connector.tenant_id = brand_pictures.tenant_id and ${mentions('connector.metadata')})
  or exists (select 1 from ${applications} as client where client.tenant_id = brand_pictures.tenant_id and ${mentions('client.oidc_client_metadata', 'client.custom_client_metadata')})
  or exists (select 1 from ${configs} as config where config.tenant_id = brand_pictures.tenant_id and ${mentions('config.value')})
  or exists (select 1 from ${organizations} as organization where organization.tenant_id = brand_pictures.tenant_id
    and instr(organization.brand, '${sql.raw(BRAND_PICTURE_PREFIX)}') > 0 and ${mentions('organization.brand')})
  or exists (select 1 from ${users} as account where account.tenant_id = brand_pictures.tenant_id
    and instr(account.avatar, '${sql.raw(BRAND_PICTURE_PREFIX)}') > 0 and ${mentions('account.avatar')})
)`

function mentions(...columns: readonly string[]): SQL {
  return sql.raw(`(${columns.map((column) => `instr(${column}, brand_pictures.name) > 0`).join(' or ')})`)
}
