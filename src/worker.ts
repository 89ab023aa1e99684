import { connect } from 'cloudflare:sockets'
import type { ExecutionContext, ScheduledController } from '@cloudflare/workers-types'
import { createApp } from './app.ts'
import type { Dependencies } from './application/dependencies.ts'
import type { DeliveryService } from './application/hooks/deliveries.ts'
import { readSettings, type Settings } from './application/settings.ts'
import type { Bindings } from './bindings.ts'
import { lazy } from './contract/lazy.ts'
import type { createLogoutToken } from './oidc/sessions/logout-token.ts'
import { createCache } from './storage/cache.ts'
import type { Database } from './storage/database.ts'
import { logFailure } from './storage/event-log.ts'
import { createBrandPictureCache } from './storage/experience/brand-picture-cache.ts'
import { createPhraseBook } from './storage/experience/phrase-book.ts'
import { createInteractionStore } from './storage/interactions/interactions.ts'
import { createOrganizationExperiences } from './storage/organisations/experiences.ts'
import { createPublicDocuments } from './storage/public-documents.ts'
import { createSeals } from './storage/seal.ts'
import { createTenantDirectory } from './storage/tenants/tenant-directory.ts'

/**
 * Creates the dependencies from the bindings, once per isolate. No other file reads the bindings. The code that
 * fills each cache is loaded on the cache's first read, because it is expensive to initialize and few isolates
 * need all of it.
 */
async function createDependencies(bindings: Bindings): Promise<Dependencies> {
  const settings = readSettings(bindings)
  const now = () => Date.now()
  const db = await openDatabase(settings, bindings)
  const seals = createSeals(settings.rootSecret, settings.rootSecretPrevious)
  const isDevelopment = settings.environment === 'development'
  const dependencies = {
    settings,
    db,
    seals,
    now,
    tenants: createTenantDirectory(db, { now }),
    interactions: createInteractionStore(bindings.INTERACTIONS, seals),
    publicDocuments: createPublicDocuments(bindings.INTERACTIONS, { now }),
    experience: createCache(
      async (tenantId) => {
        const [{ readCompleteExperience }, { withSanitizedContent }] = await Promise.all([
          import('./storage/experience/experience.ts'),
          import('./web/pages/custom-content.ts'),
        ])
        const channels = { hasInbox: isDevelopment, hasDemos: isDevelopment }
        return withSanitizedContent(await readCompleteExperience(db, tenantId, channels))
      },
      { now, keepsEqual: true },
    ),
    organizationExperiences: createOrganizationExperiences(db, { now }),
    social: createCache(
      async (tenantId) =>
        (await import('./storage/connectors/connectors.ts')).listSocialConnectors(db, tenantId),
      { now },
    ),
    tenantSettings: createCache(
      async (tenantId) =>
        (await import('./storage/tenants/settings.ts')).readTenantSettings(db, seals, tenantId),
      { now },
    ),
    phrases: createPhraseBook(db, { now }),
    brandPictures: createBrandPictureCache(db, { now }),
    applications: createCache(
      async (key) =>
        (await import('./storage/applications/applications.ts')).getApplication(
          { db, seals },
          ...parseApplicationKey(key),
        ),
      { now },
    ),
    signingKeys: createCache(
      async (tenantId) =>
        (await import('./storage/tenants/signing-keys.ts')).readSigningKeys({ db, seals, now }, tenantId),
      { now },
    ),
    floodLimits: {
      authorization: bindings.AUTHORIZATION_RATE_LIMIT,
      pushedRequest: bindings.PUSHED_REQUEST_RATE_LIMIT,
      token: bindings.TOKEN_RATE_LIMIT,
      account: bindings.ACCOUNT_RATE_LIMIT,
    },
    network: {
      fetch: platform.fetch,
      connect,
      sendEmail: bindings.SEND_EMAIL,
      assetBucket: bindings.ASSET_BUCKET,
    },
  }
  return { ...dependencies, deliveries: createLazyDeliveryService(dependencies) }
}

/** Opens the database. Only the driver that the bindings require is loaded. */
async function openDatabase({ libsql }: Settings, { DB }: Bindings): Promise<Database> {
  return libsql
    ? (await import('./storage/libsql.ts')).openLibsql(libsql)
    : (await import('./storage/d1.ts')).openD1(DB)
}

/** Loads the delivery modules on the first delivery, because many isolates have nothing to deliver. */
function createLazyDeliveryService(dependencies: Omit<Dependencies, 'deliveries'>): DeliveryService {
  const deliveries = lazy(async () => {
    const { createDeliveryService } = await import('./application/hooks/outbox-deliveries.ts')
    return createDeliveryService(dependencies, platform)
  })
  return {
    send: async (...args) => (await deliveries()).send(...args),
    sendNotices: async (...args) => (await deliveries()).sendNotices(...args),
    sendDue: async () => (await deliveries()).sendDue(),
    sendToHook: async (...args) => (await deliveries()).sendToHook(...args),
  }
}

const platform = {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
  logoutToken: async (...args: Parameters<typeof createLogoutToken>) =>
    (await import('./oidc/sessions/logout-token.ts')).createLogoutToken(...args),
  wait: (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time)),
}

const parseApplicationKey = (key: string): [tenantId: string, id: string] => JSON.parse(key)

type Deployment = { dependencies: Dependencies; app: ReturnType<typeof createApp> }

/**
 * The deployments, keyed by bindings object, so that a test with different bindings gets its own app. Creating a
 * deployment only loads modules, so a cancelled request cannot leave one half created.
 */
const deployments = new WeakMap<Bindings, Promise<Deployment>>()

function deploymentOf(bindings: Bindings): Promise<Deployment> {
  const running = deployments.get(bindings)
  if (running) return running
  const deployment = createDependencies(bindings).then((dependencies) => ({
    dependencies,
    app: createApp(dependencies),
  }))
  deployments.set(bindings, deployment)
  // Failed deployments are not cached, so that the next request tries again.
  deployment.catch(() => deployments.delete(bindings))
  return deployment
}

export default {
  fetch: async (request: Request, bindings: Bindings, context: ExecutionContext) =>
    (await deploymentOf(bindings)).app.fetch(request, context),

  async scheduled(_controller: ScheduledController, bindings: Bindings) {
    try {
      const schedule = await import('./application/tenants/scheduled-maintenance.ts')
      await schedule.runScheduledMaintenance((await deploymentOf(bindings)).dependencies)
    } catch (error) {
      logFailure(error, { at: 'scheduled' })
      // Do not rethrow the original error: the platform logs it, and a database error contains query parameters.
      throw new Error('The scheduled run failed')
    }
  },
}
