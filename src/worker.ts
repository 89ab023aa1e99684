import { connect } from 'cloudflare:sockets'
import type { ExecutionContext, ScheduledController } from '@cloudflare/workers-types'
import { createApp } from './app.ts'
import type { Deliveries } from './application/outbox-deliveries.ts'
import { type Env, readSettings, type Services } from './env.ts'
import type { makeLogoutToken } from './oidc/logout-token.ts'
import { getApplication } from './storage/applications.ts'
import { readBacklog } from './storage/backlog.ts'
import { createCache } from './storage/cache.ts'
import { listSocial } from './storage/connectors.ts'
import { openD1, openLibsql } from './storage/database.ts'
import { logEvent, logFailure } from './storage/event-log.ts'
import { readWholeExperience } from './storage/experience.ts'
import { deleteExpired, deleteOldLogs } from './storage/expired.ts'
import { createInteractionStore } from './storage/interactions.ts'
import { deleteMissedRevoked } from './storage/oidc-models.ts'
import { createPhraseBook } from './storage/phrase-book.ts'
import { reseal } from './storage/reseal.ts'
import { createSeals } from './storage/seal.ts'
import { readTenantSettings } from './storage/settings.ts'
import { createTenantDirectory } from './storage/tenants.ts'
import { withSafeContent } from './web/custom-content.ts'

/** Bindings become services once per isolate; nobody else sees `env`. */
function createServices(env: Env): Services {
  const settings = readSettings(env)
  const now = Date.now
  const db = settings.libsql ? openLibsql(settings.libsql) : openD1(env.DB)
  const seals = createSeals(settings.rootSecret, settings.rootSecretPrevious)
  const isDevelopment = settings.environment === 'development'
  const services = {
    settings,
    db,
    seals,
    now,
    tenants: createTenantDirectory(db, { now }),
    interactions: createInteractionStore(env.INTERACTIONS, seals),
    experience: createCache(
      async (tenantId) =>
        withSafeContent(
          await readWholeExperience(db, tenantId, { hasInbox: isDevelopment, hasDemos: isDevelopment }),
        ),
      { now },
    ),
    social: createCache((tenantId) => listSocial(db, tenantId), { now }),
    tenantSettings: createCache((tenantId) => readTenantSettings(db, seals, tenantId), { now }),
    phrases: createPhraseBook(db, { now }),
    applications: createCache((key) => getApplication(db, ...parsed(key)), { now }),
    signingKeys: createCache(
      async (tenantId) => (await import('./oidc/keys.ts')).readSigningKeys({ db, seals, now }, tenantId),
      { now },
    ),
    network: { fetch: network.fetch, connect, sendEmail: env.SEND_EMAIL, assetBucket: env.ASSET_BUCKET },
  }
  return { ...services, deliveries: deliveriesLater(services) }
}

/** From its modules on the first that is delivered: not every isolate has anything to deliver. */
function deliveriesLater(services: Omit<Services, 'deliveries'>): Deliveries {
  let made: Promise<Deliveries> | undefined
  const deliveries = () => {
    made ??= import('./application/outbox-deliveries.ts').then(({ createDeliveries }) =>
      createDeliveries(services, network),
    )
    return made
  }
  return {
    send: async (...asked) => (await deliveries()).send(...asked),
    sendDue: async () => (await deliveries()).sendDue(),
    tell: async (...asked) => (await deliveries()).tell(...asked),
  }
}

const network = {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
  logoutToken: async (...asked: Parameters<typeof makeLogoutToken>) =>
    (await import('./oidc/logout-token.ts')).makeLogoutToken(...asked),
  wait: (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time)),
}

const parsed = (key: string): [tenantId: string, id: string] => JSON.parse(key)

type App = { services: Services; app: ReturnType<typeof createApp> }

/** By `env`, so that a test with other bindings gets a house of its own. */
const apps = new WeakMap<Env, App>()

function appOf(env: Env): App {
  const known = apps.get(env)
  if (known) return known
  const services = createServices(env)
  const app = { services, app: createApp(services) }
  apps.set(env, app)
  return app
}

/** Rows per table and batch, and batches per run: a statement must stay short, and a run must end. */
const SWEEP_ROWS = 1_000
const SWEEP_ROUNDS = 10

const DAY = 24 * 60 * 60 * 1000 // ms

/** How far back the sweep looks for what revoked users left, should nobody have swept behind an answer. Ours. */
const REVOKED_WITHIN = 60 * 60 * 1000 // ms

export default {
  fetch: (request: Request, env: Env, context: ExecutionContext) =>
    appOf(env).app.fetch(request, env, context),

  async scheduled(_controller: ScheduledController, env: Env) {
    try {
      await runScheduledMaintenance(appOf(env).services)
    } catch (error) {
      logFailure(error, { at: 'scheduled' })
      // The platform logs what is thrown here, and a database error quotes its parameters.
      throw new Error('The scheduled run failed')
    }
  },
}

async function runScheduledMaintenance({ db, seals, settings, now, deliveries }: Services): Promise<void> {
  // What others wait for comes first.
  const sent = await deliveries.sendDue()
  logEvent('outbox_swept', { ...sent, ...(await readBacklog(db, now())) })
  await db.batch(deleteMissedRevoked(db, { since: now() - REVOKED_WITHIN, limit: SWEEP_ROWS }))
  const days = settings.logRetentionDays
  for (let round = 0; round < SWEEP_ROUNDS; round++) {
    const deleted = {
      ...(await deleteExpired(db, now(), SWEEP_ROWS)),
      ...(days && (await deleteOldLogs(db, { before: now() - days * DAY, limit: SWEEP_ROWS }))),
    }
    logEvent('expired_rows_deleted', deleted)
    if (Object.values(deleted).every((count) => count < SWEEP_ROWS)) break
  }
  // Last: nothing else waits for it, and nothing else is to wait behind what does not open.
  if (settings.rootSecretPrevious) logEvent('resealed', await reseal(db, seals))
}
