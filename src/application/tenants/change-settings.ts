import type { Refusal } from '../../contract/errors.ts'
import { invalidInput, unprocessableInput } from '../../contract/invalid-input.ts'
import { DEFAULT_TENANT } from '../../contract/product.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import type { StorageProvider, TenantSettings } from '../../contract/tenants/settings.ts'
import { describeChanges } from '../../domain/audit-changes.ts'
import { findPictureProblem, type PictureUrl } from '../../domain/experience/pictures.ts'
import { isTenantDomain } from '../../domain/tenants/hosts.ts'
import { createUploadStorage } from '../../outbound/uploads/index.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE } from '../../storage/conditions.ts'
import { mayUsePasskeyDomain } from '../../storage/passkeys/passkeys.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import {
  changeSettings,
  readTenantSettings,
  type SettingsPatch,
  sealSettings,
  unsealSettings,
} from '../../storage/tenants/settings.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { tenantNetwork } from '../network-limit.ts'
import type { Settings } from '../settings.ts'

type SettingsDependencies = Pick<
  Dependencies,
  'db' | 'seals' | 'settings' | 'network' | 'tenantSettings' | 'experience'
>
/** A change of settings. `origin` is the origin of the pages that show the logos of demo connectors. */
type SettingsChange = Guarded & {
  tenantId: string
  origin: string
  patch: SettingsPatch
  beginAudit(): AuditEntry
}

/** Changes a tenant's settings, except those of the sign-in experience (spec/management#settings). */
export async function changeTenantSettings(
  dependencies: SettingsDependencies,
  { tenantId, origin, patch, preconditions, beginAudit }: SettingsChange,
): Promise<TenantSettings> {
  const { db, seals, settings, tenantSettings, experience } = dependencies
  if (Object.keys(patch).length === 0) return readTenantSettings(db, seals, tenantId)

  // Outside development, only the default tenant may allow private targets. Other tenants must not reach the network of
  // the deployment's operator.
  const opensNetwork = patch.allowPrivateTargets === true && tenantId !== DEFAULT_TENANT
  if (opensNetwork && settings.environment !== 'development') refuseWith('auth.forbidden')
  const audit = beginAudit()
  throwIfRefused(findPictureProblem(logosOf(patch), origin))
  if (patch.storageProvider)
    await refuseUnusableProvider(dependencies, tenantId, patch.storageProvider, patch)
  throwIfRefused(passkeyDomainProblem(patch, { tenantId, origin, settings }))
  const sealed = await sealSettings(seals, tenantId, patch)
  const before = await readTenantSettings(db, seals, tenantId)
  const condition = patch.passkeys ? mayUsePasskeyDomain(tenantId, patch.passkeys.rpId) : ALWAYS_TRUE
  const { stored } = await commitChange(db, {
    tenantId,
    condition,
    preconditions,
    audit: audit.success(describeChanges(before, { ...before, ...patch })),
    statements: { stored: changeSettings(db, tenantId, sealed, condition) },
  })
  if (stored.length === 0) refuseWith('passkey.domain_in_use')
  tenantSettings.forget(tenantId)
  // The sign-in pages show a button for each demo connector in the settings.
  experience.forget(tenantId)
  return unsealSettings(seals, tenantId, stored[0]?.value ?? null)
}

/**
 * Rejects a storage provider that cannot be used. Uploads check this again, because the rules for outbound requests may
 * have changed.
 */
async function refuseUnusableProvider(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'network'>,
  tenantId: string,
  provider: StorageProvider,
  patch: SettingsPatch,
): Promise<void> {
  const { db, seals } = dependencies
  const { allowPrivateTargets } = { ...(await readTenantSettings(db, seals, tenantId)), ...patch }
  const { assetBucket } = tenantNetwork(dependencies, tenantId)
  const problem = createUploadStorage(provider).problem({
    allowPrivateTargets: allowPrivateTargets === true,
    assetBucket,
  })
  if (!problem) return
  throw invalidInput({ issues: [{ path: ['storageProvider', problem.field], message: problem.message }] })
}

/**
 * Checks the passkey domain. Browsers accept a page's host or one of its parent domains (spec/accounts#passkey-domain).
 */
function passkeyDomainProblem(
  { passkeys }: SettingsPatch,
  { tenantId, origin, settings }: { tenantId: string; origin: string; settings: Settings },
): Refusal | null {
  if (!passkeys?.rpId) return null
  return isTenantDomain(passkeys.rpId, tenantId, new URL(origin), settings.hosting)
    ? null
    : unprocessableInput([
        { path: ['passkeys', 'rpId'], message: 'is not the domain of a host that only this tenant has' },
      ])
}

const logosOf = ({ demoSocial }: SettingsPatch): PictureUrl[] =>
  demoSocial?.flatMap(({ logo, logoDark }, at) => [
    { path: ['demoSocial', at, 'logo'], address: logo },
    { path: ['demoSocial', at, 'logoDark'], address: logoDark },
  ]) ?? []
