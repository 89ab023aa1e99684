import { connect } from 'cloudflare:sockets'
import type { ExecutionContext, ScheduledController } from '@cloudflare/workers-types'
import { createDeliveries } from './api/deliveries.ts'
import { createApp } from './app.ts'
import { type Env, readSettings, type Services } from './env.ts'
import { readSigningKeys } from './oidc/keys.ts'
import { makeLogoutToken } from './oidc/logout-token.ts'
import { getApplication } from './storage/applications.ts'
import { createCache } from './storage/cache.ts'
import { listSocial } from './storage/connectors.ts'
import { openD1, openLibsql } from './storage/database.ts'
import { logEvent } from './storage/event-log.ts'
import { readWholeExperience } from './storage/experience.ts'
import { deleteExpired } from './storage/expired.ts'
import { createInteractionStore } from './storage/interactions.ts'
import { deleteMissedRevoked } from './storage/oidc-models.ts'
import { createPhraseBook } from './storage/phrase-book.ts'
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
    signingKeys: createCache((tenantId) => readSigningKeys({ db, seals, now }, tenantId), { now }),
    network: { fetch: outside.fetch, connect, sendEmail: env.SEND_EMAIL, assetBucket: env.ASSET_BUCKET },
  }
  return { ...services, deliveries: createDeliveries(services, outside) }
}

const outside = {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
  logoutToken: makeLogoutToken,
  wait: (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time)),
}

const parsed = (key: string): [tenantId: string, id: string] => JSON.parse(key)

type House = { services: Services; app: ReturnType<typeof createApp> }

/** By `env`, so that a test with other bindings gets a house of its own. */
const houses = new WeakMap<Env, House>()

function houseOf(env: Env): House {
  const known = houses.get(env)
  if (known) return known
  const services = createServices(env)
  const house = { services, app: createApp(services) }
  houses.set(env, house)
  return house
}

/** Rows per table and batch, and batches per run: a statement must stay short, and a run must end. */
const SWEEP_ROWS = 1_000
const SWEEP_ROUNDS = 10

/** How far back the sweep looks for what revoked users left, should nobody have swept behind an answer. Ours. */
const REVOKED_WITHIN = 60 * 60 * 1000 // ms

export default {
  fetch: (request: Request, env: Env, context: ExecutionContext) =>
    houseOf(env).app.fetch(request, env, context),

  async scheduled(_controller: ScheduledController, env: Env) {
    const { db, now, deliveries } = houseOf(env).services
    // What others wait for comes first.
    logEvent('outbox_swept', await deliveries.sendDue())
    await db.batch(deleteMissedRevoked(db, { since: now() - REVOKED_WITHIN, limit: SWEEP_ROWS }))
    for (let round = 0; round < SWEEP_ROUNDS; round++) {
      const deleted = await deleteExpired(db, now(), SWEEP_ROWS)
      logEvent('expired_rows_deleted', deleted)
      if (Object.values(deleted).every((count) => count < SWEEP_ROWS)) return
    }
  },
}
