import { createRoute, type z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { networkOf } from '../../application/tenant-network.ts'
import { providerProblem } from '../../connectors/uploads/index.ts'
import { AdminConsole, AdminConsolePatch, readAdminConsole } from '../../contract/admin-console.schema.ts'
import { DEFAULT_TENANT } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { TenantSettingsAnswer, TenantSettingsPatch } from '../../contract/settings.schema.ts'
import type { StorageProvider, TenantSettings } from '../../contract/settings.ts'
import { mergeConfig, readConfig } from '../../storage/configs.ts'
import { changeSettings, openSettings, readTenantSettings, sealSettings } from '../../storage/settings.ts'
import { answer, invalidInput, json } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { doctorRoutes } from './doctor.ts'
import { always, alwaysWithBody, guarded, managementRouter } from './router.ts'
import { signingKeyRoutes } from './signing-keys.ts'

const tags = ['Settings']
const settings = { 200: answer('The settings', TenantSettingsAnswer.openapi('TenantSettings')) }
const checklist = { 200: answer('The checklist', AdminConsole.openapi('AdminConsole')) }

const getCall = createRoute({
  method: 'get',
  path: '/settings',
  tags,
  ...guarded,
  summary: 'Get the settings beyond the sign-in experience, without their secrets',
  responses: { ...settings, ...always },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/settings',
  tags,
  ...guarded,
  summary: 'Change some of them; each that is given is replaced as a whole',
  request: { body: json(TenantSettingsPatch) },
  responses: { ...settings, ...alwaysWithBody },
})
const getConsoleCall = createRoute({
  method: 'get',
  path: '/admin-console',
  tags,
  ...guarded,
  summary: 'Get the onboarding checklist of a console',
  responses: { ...checklist, ...always },
})
const patchConsoleCall = createRoute({
  method: 'patch',
  path: '/admin-console',
  tags,
  ...guarded,
  summary: 'Tick or untick some of it',
  request: { body: json(AdminConsolePatch) },
  responses: { ...checklist, ...alwaysWithBody },
})

const CONSOLE_KEY = 'adminConsole' // contract 6

/** System configuration an operator may see (contract 8.2, decision 31). */
export function settingsRoutes(dependencies: Dependencies, guard: Guard) {
  const { db, seals } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(getCall, async (c) => c.json(shown(await readTenantSettings(db, seals, c.var.tenantId)), 200))
    .openapi(patchCall, async (c) => {
      const patch = c.req.valid('json')
      const { tenantId } = c.var
      if (Object.keys(patch).length === 0)
        return c.json(shown(await readTenantSettings(db, seals, tenantId)), 200)

      // A tenant that somebody has made for themselves does not reach into the operator's own network.
      const opensNetwork = patch.allowPrivateTargets === true && tenantId !== DEFAULT_TENANT
      if (opensNetwork && dependencies.settings.environment !== 'development') refuseWith('auth.forbidden')
      note(c, 'Management.Config.Update', { configKey: 'settings' }, patch)
      if (patch.storageProvider) await refuseUnreachable(tenantId, patch.storageProvider, patch)
      const sealed = await sealSettings(seals, tenantId, patch)
      const [, [stored]] = await db.batch([
        auditRow(dependencies, c, sql`true`),
        changeSettings(db, tenantId, sealed),
      ])
      dependencies.tenantSettings.forget(tenantId)
      // The demos of social connectors are buttons of it.
      dependencies.experience.forget(tenantId)
      return c.json(shown(await openSettings(seals, tenantId, stored?.value ?? null)), 200)
    })
    .openapi(getConsoleCall, async (c) =>
      c.json(readAdminConsole(await readConfig(db, c.var.tenantId, CONSOLE_KEY)), 200),
    )
    .openapi(patchConsoleCall, async (c) => {
      const patch = c.req.valid('json')
      const { tenantId } = c.var
      note(c, 'Management.Config.Update', { configKey: CONSOLE_KEY }, patch)
      const [, [stored]] = await db.batch([
        auditRow(dependencies, c, sql`true`),
        mergeConfig(db, tenantId, CONSOLE_KEY, patch),
      ])
      return c.json(readAdminConsole(stored?.value ?? null), 200)
    })
    .route('/doctor', doctorRoutes(dependencies))
    .route('/signing-keys', signingKeyRoutes(dependencies))

  /** Said at once, and judged again at every upload: what is allowed may change. */
  async function refuseUnreachable(
    tenantId: string,
    provider: StorageProvider,
    patch: { allowPrivateTargets?: boolean | undefined },
  ): Promise<void> {
    const { allowPrivateTargets } = { ...(await readTenantSettings(db, seals, tenantId)), ...patch }
    const { assetBucket } = networkOf(dependencies, tenantId)
    const problem = providerProblem(provider, {
      allowPrivateTargets: allowPrivateTargets === true,
      assetBucket,
    })
    if (!problem) return
    throw invalidInput({ issues: [{ path: ['storageProvider', problem.field], message: problem.message }] })
  }
}

/** The secrets of a storage provider were given to us to be used, not to be told. */
function shown({ storageProvider, ...rest }: TenantSettings): z.infer<typeof TenantSettingsAnswer> {
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
