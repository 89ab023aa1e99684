import type { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { changeTenantSettings } from '../../../application/tenants/change-settings.ts'
import { mergeConfigEntry } from '../../../application/tenants/merge-config.ts'
import {
  AdminConsole,
  AdminConsolePatch,
  readAdminConsole,
} from '../../../contract/tenants/admin-console.schema.ts'
import { TenantSettingsPatch, TenantSettingsResponse } from '../../../contract/tenants/settings.schema.ts'
import type { TenantSettings } from '../../../contract/tenants/settings.ts'
import { getSettingsRequirement } from '../../../domain/access/protected-changes.ts'
import { readConfig } from '../../../storage/tenants/configs.ts'
import { readTenantSettings, SETTINGS_KEY } from '../../../storage/tenants/settings.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { ifMatchHeaders, readPreconditions, withEtag } from '../conflicts.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
  requireFullAccess,
} from '../router.ts'
import { doctorRoutes } from './doctor.ts'
import { managedByCodeRoutes } from './managed-by-code.ts'
import { signingKeyRoutes } from './signing-keys.ts'

const declareCall = createManagementCallDeclarer('Settings')

const settingsResponse = {
  200: jsonResponse('The settings', TenantSettingsResponse.meta({ id: 'TenantSettings' })),
}
const checklistResponse = { 200: jsonResponse('The checklist', AdminConsole.meta({ id: 'AdminConsole' })) }

const getCall = declareCall({
  method: 'get',
  path: '/settings',
  operationId: 'getSettings',
  summary: 'Get the tenant settings',
  description:
    'Returns the settings beyond the sign-in experience: rate limits, hidden account existence, preview ' +
    'origins, the storage of uploads and demo connectors. A setting that was never changed has its ' +
    'default value; secrets of the storage provider are left out.',
  responses: settingsResponse,
})
const patchCall = declareCall({
  method: 'patch',
  path: '/settings',
  operationId: 'updateSettings',
  summary: 'Change the tenant settings',
  description:
    'Replaces the given settings, each as a whole; they take effect within five seconds. Errors: 400 ' +
    '`guard.invalid_input` for a storage provider that the rules of this deployment make unreachable, ' +
    '422 for a logo that the content security policy of the pages blocks, 403 for `allowPrivateTargets` ' +
    'outside the tenant `default`. The settings that protect sign-ins of owners require the scope `all`: ' +
    '`limits`, `passwordPolicy`, `passkeys`, `secondFactor`, `administratorsNeedSecondFactor`, ' +
    '`accountExistence`, `newSignInNotices`, `previewOrigins`, `imageOrigins`, `sessionNotFoundRedirectUrl`, `changePasswordUrl`. ' +
    describeRecentSignIn(
      'changes one of these, `accountCentre`, `allowPrivateTargets`, `unregisteredClients` or `clientRegistration`',
    ),
  request: { headers: ifMatchHeaders, body: jsonBody(TenantSettingsPatch) },
  responses: settingsResponse,
  refusals: [412, 422],
})
const getConsoleCall = declareCall({
  method: 'get',
  path: '/admin-console',
  operationId: 'getOnboardingChecklist',
  summary: 'Get the onboarding checklist',
  description:
    'Returns which steps of its onboarding checklist a console has marked as done. The server stores the ' +
    'eight booleans and does not interpret them.',
  responses: checklistResponse,
})
const patchConsoleCall = declareCall({
  method: 'patch',
  path: '/admin-console',
  operationId: 'updateOnboardingChecklist',
  summary: 'Change the onboarding checklist',
  description:
    'Marks the given steps as done or not done and keeps the others. Concurrent changes are all kept. ' +
    'This has no other effect.',
  request: { headers: ifMatchHeaders, body: jsonBody(AdminConsolePatch) },
  responses: checklistResponse,
  refusals: [412],
})

const CONSOLE_KEY = 'adminConsole' // spec/storage#system-configuration

/** Serves the part of the system configuration that operators may see (spec/management#settings). */
export function settingsRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db, seals } = dependencies
  const findSettings = async (c: ManagementContext) =>
    withoutSecrets(await readTenantSettings(db, seals, c.var.tenantId))
  const findChecklist = async (c: ManagementContext) =>
    readAdminConsole(await readConfig(db, c.var.tenantId, CONSOLE_KEY))

  return managementRouter(dependencies, guard)
    .openapi(getCall, async (c) => c.json(await withEtag(c, await findSettings(c)), 200))
    .openapi(patchCall, async (c) => {
      const patch = c.req.valid('json')
      const need = getSettingsRequirement(patch)
      if (need === 'owner') requireFullAccess(c)
      if (need !== 'scope') await requireOperatorStepUp(dependencies, c.var)
      const find = () => findSettings(c)
      const preconditions = await readPreconditions(dependencies, c, {
        subject: 'Config',
        id: SETTINGS_KEY,
        find,
      })
      const changed = await changeTenantSettings(dependencies, {
        tenantId: c.var.tenantId,
        origin: c.var.url.origin,
        patch,
        preconditions,
        beginAudit: () =>
          beginManagementAudit(c, 'Management.Config.Update', { configKey: 'settings' }, patch),
      })
      return c.json(await withEtag(c, withoutSecrets(changed)), 200)
    })
    .openapi(getConsoleCall, async (c) => c.json(await withEtag(c, await findChecklist(c)), 200))
    .openapi(patchConsoleCall, async (c) => {
      const patch = c.req.valid('json')
      const { tenantId } = c.var
      const key = CONSOLE_KEY
      const preconditions = await readPreconditions(dependencies, c, {
        subject: 'Config',
        id: key,
        find: () => findChecklist(c),
      })
      const audit = beginManagementAudit(c, 'Management.Config.Update', { configKey: key }, patch)
      const stored = await mergeConfigEntry(dependencies, { tenantId, key, patch, audit, preconditions })
      return c.json(await withEtag(c, readAdminConsole(stored)), 200)
    })
    .route('/code', managedByCodeRoutes(dependencies))
    .route('/doctor', doctorRoutes(dependencies))
    .route('/signing-keys', signingKeyRoutes(dependencies))
}

/** Removes the secrets of a storage provider, which the API never returns. */
function withoutSecrets({
  storageProvider,
  ...rest
}: TenantSettings): z.infer<typeof TenantSettingsResponse> {
  switch (storageProvider?.provider) {
    case undefined:
      return { ...rest, storageProvider: null }
    case 'AzureStorage': {
      const { connectionString: _, ...open } = storageProvider
      return { ...rest, storageProvider: open }
    }
    case 'S3Storage': {
      const { accessSecretKey: _, ...open } = storageProvider
      return { ...rest, storageProvider: open }
    }
    case 'R2':
      return { ...rest, storageProvider }
  }
}
