import { commitChange } from '../storage/commit.ts'
import { type ConfigValue, mergeConfig } from '../storage/configs.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'

type ConfigChange = { tenantId: string; key: string; patch: ConfigValue; audit: AuditEntry }

/** Merges into one entry of the system configuration and answers it. */
export async function mergeConfigEntry(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, key, patch, audit }: ConfigChange,
): Promise<ConfigValue | null> {
  const { stored } = await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: { stored: mergeConfig(db, tenantId, key, patch) },
  })
  return stored[0]?.value ?? null
}
