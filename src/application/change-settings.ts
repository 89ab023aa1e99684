import { DEFAULT_TENANT } from '../contract/product.ts'
import { orRefuse, refuseWith } from '../contract/refused.ts'
import type { TenantSettings } from '../contract/settings.ts'
import { type GivenPicture, pictureProblem } from '../domain/pictures.ts'
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
import { refuseUnusableProvider } from './upload-provider.ts'

type SettingsDependencies = Pick<
  Dependencies,
  'db' | 'seals' | 'settings' | 'network' | 'tenantSettings' | 'experience'
>
/** `origin`: where the pages are that show logos of demos. */
type SettingsChange = { tenantId: string; origin: string; patch: SettingsPatch; beginAudit(): AuditEntry }

/** Changes settings of the tenant beyond the sign-in experience (spec/management#settings). */
export async function changeTenantSettings(
  dependencies: SettingsDependencies,
  { tenantId, origin, patch, beginAudit }: SettingsChange,
): Promise<TenantSettings> {
  const { db, seals, settings, tenantSettings, experience } = dependencies
  if (Object.keys(patch).length === 0) return readTenantSettings(db, seals, tenantId)

  // A tenant of another owner must not reach into the network of this deployment's operator.
  const opensNetwork = patch.allowPrivateTargets === true && tenantId !== DEFAULT_TENANT
  if (opensNetwork && settings.environment !== 'development') refuseWith('auth.forbidden')
  const audit = beginAudit()
  orRefuse(pictureProblem(logosOf(patch), origin))
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

const logosOf = ({ demoSocial }: SettingsPatch): GivenPicture[] =>
  demoSocial?.flatMap(({ logo, logoDark }, at) => [
    { path: ['demoSocial', at, 'logo'], address: logo },
    { path: ['demoSocial', at, 'logoDark'], address: logoDark },
  ]) ?? []
