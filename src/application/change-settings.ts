import { providerProblem } from '../connectors/uploads/index.ts'
import { invalidInput } from '../contract/invalid-input.ts'
import { DEFAULT_TENANT } from '../contract/product.ts'
import { refuseWith } from '../contract/refused.ts'
import type { StorageProvider, TenantSettings } from '../contract/settings.ts'
import { commitChange } from '../storage/commit.ts'
import {
  changeSettings,
  openSettings,
  readTenantSettings,
  type SettingsPatch,
  sealSettings,
} from '../storage/settings.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'
import { tenantNetwork } from './tenant-network.ts'

type SettingsDependencies = Pick<
  Dependencies,
  'db' | 'seals' | 'settings' | 'network' | 'tenantSettings' | 'experience'
>
type SettingsChange = { tenantId: string; patch: SettingsPatch; beginAudit(): AuditEntry }

/** Changes settings of the tenant beyond the sign-in experience (spec/management#settings). */
export async function changeTenantSettings(
  dependencies: SettingsDependencies,
  { tenantId, patch, beginAudit }: SettingsChange,
): Promise<TenantSettings> {
  const { db, seals, settings, tenantSettings, experience } = dependencies
  if (Object.keys(patch).length === 0) return readTenantSettings(db, seals, tenantId)

  // A tenant of another owner must not reach into the network of this deployment's operator.
  const opensNetwork = patch.allowPrivateTargets === true && tenantId !== DEFAULT_TENANT
  if (opensNetwork && settings.environment !== 'development') refuseWith('auth.forbidden')
  const audit = beginAudit()
  if (patch.storageProvider)
    await refuseUnusableProvider(dependencies, tenantId, patch.storageProvider, patch)
  const sealed = await sealSettings(seals, tenantId, patch)
  const { stored } = await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: { stored: changeSettings(db, tenantId, sealed) },
  })
  tenantSettings.forget(tenantId)
  // Demo connectors of the settings are buttons of the experience.
  experience.forget(tenantId)
  return openSettings(seals, tenantId, stored[0]?.value ?? null)
}

/** Refused when it is stored and checked again at every upload, because the network's rules may change in between. */
async function refuseUnusableProvider(
  dependencies: SettingsDependencies,
  tenantId: string,
  provider: StorageProvider,
  patch: SettingsPatch,
): Promise<void> {
  const { db, seals } = dependencies
  const { allowPrivateTargets } = { ...(await readTenantSettings(db, seals, tenantId)), ...patch }
  const { assetBucket } = tenantNetwork(dependencies, tenantId)
  const problem = providerProblem(provider, {
    allowPrivateTargets: allowPrivateTargets === true,
    assetBucket,
  })
  if (!problem) return
  throw invalidInput({ issues: [{ path: ['storageProvider', problem.field], message: problem.message }] })
}
