import { invalidInput } from '../../contract/invalid-input.ts'
import type { StorageProvider } from '../../contract/tenants/settings.ts'
import { uploadStorage } from '../../outbound/uploads/index.ts'
import { readTenantSettings, type SettingsPatch } from '../../storage/tenants/settings.ts'
import type { Dependencies } from '../dependencies.ts'
import { tenantNetwork } from '../network-limit.ts'

/** Refused when it is stored and checked again at every upload, because the network's rules may change in between. */
export async function refuseUnusableProvider(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'network'>,
  tenantId: string,
  provider: StorageProvider,
  patch: SettingsPatch,
): Promise<void> {
  const { db, seals } = dependencies
  const { allowPrivateTargets } = { ...(await readTenantSettings(db, seals, tenantId)), ...patch }
  const { assetBucket } = tenantNetwork(dependencies, tenantId)
  const problem = uploadStorage(provider).problem({
    allowPrivateTargets: allowPrivateTargets === true,
    assetBucket,
  })
  if (!problem) return
  throw invalidInput({ issues: [{ path: ['storageProvider', problem.field], message: problem.message }] })
}
