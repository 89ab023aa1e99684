import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { TenantSettingsPatch } from '../../contract/tenants/settings.schema.ts'
import type { DemoSocial, TenantSettings } from '../../contract/tenants/settings.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { logFailure } from '../event-log.ts'
import { type SealLabel, type Seals, UnreadableSeal } from '../seal.ts'
import { configs } from '../tables.ts'
import { type ConfigValue, configQuery, readConfig } from './configs.ts'

/**
 * The key of a tenant's settings, which are one configuration entry. The entry contains only settings that have ever
 * been set (spec/storage#system-configuration).
 */
export const SETTINGS_KEY = 'settings'

export type SettingsPatch = z.infer<typeof TenantSettingsPatch>

/**
 * Changes in their stored form. The storage provider is sealed, because it contains a third-party secret
 * (spec/storage#sealing).
 */
type SealedPatch = Omit<SettingsPatch, 'storageProvider'> & {
  storageProvider?: { sealed: string } | null | undefined
}

export const settingsQuery = (db: Database, tenantId: string) => configQuery(db, tenantId, SETTINGS_KEY)

/** Returns the demo connectors in a stored entry, or none if there is no entry. Demo connectors are not sealed. */
export async function parseDemoSocialSetting(value: ConfigValue | null): Promise<DemoSocial[]> {
  const { StoredTenantSettings } = await schemas()
  return StoredTenantSettings.parse(value ?? {}).demoSocial
}

/** The schemas are loaded when settings are first read, because pages do not need them. */
const schemas = () => import('../../contract/tenants/settings.schema.ts')

export async function readTenantSettings(
  db: Database,
  seals: Seals,
  tenantId: string,
): Promise<TenantSettings> {
  return unsealSettings(seals, tenantId, await readConfig(db, tenantId, SETTINGS_KEY))
}

/**
 * Returns the effective settings for a stored entry, or the defaults if there is no entry. A storage provider that cannot
 * be decrypted is logged, and null.
 */
export async function unsealSettings(
  seals: Seals,
  tenantId: string,
  value: ConfigValue | null,
): Promise<TenantSettings> {
  const { StoredTenantSettings } = await schemas()
  const { storageProvider, ...settings } = StoredTenantSettings.parse(value ?? {})
  if (!storageProvider) return { ...settings, storageProvider: null }
  const { StorageProviderSettings } = await import('../../contract/tenants/storage-provider.schema.ts')
  const { sealed } = storageProvider
  const opened = await seals.open(storageProviderLabel(tenantId), sealed)
  if (opened === null)
    logFailure(new UnreadableSeal(`The storage provider of tenant ${tenantId}`, sealed), { tenantId })
  return { ...settings, storageProvider: StorageProviderSettings.safeParse(opened).data ?? null }
}

export async function sealSettings(
  seals: Seals,
  tenantId: string,
  { storageProvider, ...patch }: SettingsPatch,
): Promise<SealedPatch> {
  if (storageProvider === undefined) return patch
  if (storageProvider === null) return { ...patch, storageProvider }
  return {
    ...patch,
    storageProvider: { sealed: await seals.seal(storageProviderLabel(tenantId), storageProvider) },
  }
}

/**
 * Replaces the settings in the patch and keeps all others, even settings that this version does not know. The database
 * merges them, so that no concurrent change is lost. Returns the entry for `unsealSettings`, or no row if the condition
 * does not hold.
 */
export function changeSettings(
  db: Database,
  tenantId: string,
  patch: SealedPatch,
  condition: Condition = ALWAYS_TRUE,
) {
  const paths = Object.keys(patch).map((name) => sql`, ${`$.${name}`}`)
  return db
    .insert(configs)
    .values({ tenantId, key: SETTINGS_KEY, value: patch })
    .onConflictDoUpdate({
      target: [configs.tenantId, configs.key],
      set: {
        value: sql`json_patch(json_remove(${configs.value}${sql.join(paths)}), excluded.value)`,
      },
      setWhere: condition,
    })
    .returning({ value: configs.value })
}

export const storageProviderLabel = (tenantId: string): SealLabel => `settings/${tenantId}/storageProvider`
