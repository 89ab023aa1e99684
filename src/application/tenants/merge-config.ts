import { refuseWith } from '../../contract/refused.ts'
import { describeChanges, mergePatch } from '../../domain/audit-changes.ts'
import { commitChange } from '../../storage/commit.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import {
  type ConfigValue,
  deleteConfig,
  hasConfig,
  mergeConfig,
  readConfig,
} from '../../storage/tenants/configs.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'

type ConfigChange = { tenantId: string; key: string; patch: ConfigValue; audit: AuditEntry }

/** Merges a patch into an entry of the system configuration and returns the merged entry. */
export async function mergeConfigEntry(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, key, patch, audit, preconditions }: ConfigChange & Guarded,
): Promise<ConfigValue | null> {
  const before = (await readConfig(db, tenantId, key)) ?? {}
  const { stored } = await commitChange(db, {
    tenantId,
    preconditions,
    audit: audit.success(describeChanges(before, mergePatch(before, patch))),
    statements: { stored: mergeConfig(db, tenantId, key, patch) },
  })
  return stored[0]?.value ?? null
}

/** Deletes an entry of the system configuration. */
export async function removeConfigEntry(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, key, audit }: Omit<ConfigChange, 'patch'>,
): Promise<void> {
  const { removed } = await commitChange(db, {
    tenantId,
    condition: hasConfig(tenantId, key),
    audit: audit.success(),
    statements: { removed: deleteConfig(db, tenantId, key) },
  })
  if (removed.length === 0) refuseWith('entity.not_found')
}
