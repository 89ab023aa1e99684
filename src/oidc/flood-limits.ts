import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import {
  type Binding,
  type Counter,
  exceedsFreshReadLimit,
  exceedsLimit,
  PERIOD_SECONDS,
  refuseTooManyRequests,
} from '../application/network-limit.ts'
import { bypassesCache, type RequestFacts } from '../application/request.ts'
import { ID_LENGTH } from '../contract/ids.ts'
import { limitPushedRequestSize } from './posted-requests.ts'

type FloodContext = Context<{ Variables: RequestFacts }>

/**
 * Limits how often one network may call the provider (spec/limits#flood-limits). This is the first check, so a request
 * over the limit makes no query and writes no row. Browsers get an error page with cached settings. Nothing is limited
 * if the deployment has no rate-limit binding or the address is unknown.
 */
export function limitFloods({ floodLimits }: Pick<Dependencies, 'floodLimits'>, mount: string) {
  // The first pattern also matches `/auth`.
  const routes = new Hono<{ Variables: RequestFacts }>()
  for (const path of [`${mount}/auth/*`, '/restart']) {
    routes.use(path, refuseAbove(floodLimits.authorization, ''))
  }
  routes.use(`${mount}/request`, limitPushedRequestSize, async (c, next) => {
    const { ip } = c.var
    const client = `${await clientOf(c.req.raw)} ` as const
    const isAbove =
      (await exceedsLimit(floodLimits.authorization, ip, 'pushed ')) ||
      (await exceedsLimit(floodLimits.pushedRequest, ip, client))
    return isAbove ? refuseClient(c) : next()
  })
  routes.use(`${mount}/device/auth`, limitPushedRequestSize, async (c, next) =>
    (await exceedsLimit(floodLimits.authorization, c.var.ip, 'device ')) ? refuseClient(c) : next(),
  )
  // The pattern also matches `/register`. The tenant's own limit is checked later, because counting a call against it
  // writes a row.
  routes.use(`${mount}/register/*`, async (c, next) =>
    (await exceedsLimit(floodLimits.authorization, c.var.ip, 'register ')) ? refuseClient(c) : next(),
  )
  // The pattern also matches `/device`.
  routes.use(`${mount}/device/*`, async (c, next) =>
    c.req.path.endsWith('/device/auth')
      ? next()
      : refuseAbove(floodLimits.authorization, 'device-page ')(c, next),
  )
  routes.use(`${mount}/session/*`, refuseAbove(floodLimits.authorization, 'session '))
  for (const [path, counter] of Object.entries(protocolCalls)) {
    routes.use(mount + path, async (c, next) =>
      (await exceedsLimit(floodLimits.token, c.var.ip, counter)) ? refuseClient(c) : next(),
    )
  }
  return routes
}

/** The endpoints that applications call, each with the name of its counter. */
const protocolCalls = {
  '/token': '',
  '/token/introspection': 'introspection ',
  '/token/revocation': 'revocation ',
  '/me': 'userinfo ',
} as const satisfies Record<string, Counter>

/** Limits how often one network may call the interaction API, because each call may write a row. */
export function limitInteractions({ floodLimits }: Pick<Dependencies, 'floodLimits'>, path: string) {
  return new Hono<{ Variables: RequestFacts }>().use(
    path,
    refuseAbove(floodLimits.authorization, 'interaction '),
  )
}

/**
 * Limits how often one network may request pages and forms of the account centre, because a page may look up the
 * application named in its URL.
 */
export function limitAccountPages({ floodLimits }: Pick<Dependencies, 'floodLimits'>, path: string) {
  return new Hono<{ Variables: RequestFacts }>().use(path, refuseAbove(floodLimits.authorization, 'account '))
}

/**
 * Limits reads that bypass the API's cache. Cached reads are not limited, because they make no query. Pages that are
 * over the limit use the cache (`readPageContext`).
 */
export function limitFreshReads(dependencies: Pick<Dependencies, 'floodLimits'>, path: string) {
  return new Hono<{ Variables: RequestFacts }>().use(path, async (c, next) => {
    const isFresh = bypassesCache(c.var, c.req.header('cache-control'))
    return isFresh && (await exceedsFreshReadLimit(dependencies, c.var.ip)) ? refuseTooManyRequests() : next()
  })
}

const refuseAbove =
  (binding: Binding, counter: Counter): MiddlewareHandler<{ Variables: RequestFacts }> =>
  async (c, next) =>
    (await exceedsLimit(binding, c.var.ip, counter)) ? refuseTooManyRequests() : next()

/**
 * Returns the client id that a pushed request claims (RFC 6749 §2.3.1), before the client is authenticated. The body's
 * size has already been checked.
 */
async function clientOf(request: Request): Promise<string> {
  const [, basic] = /^basic\s+([\w+/=-]+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (basic) return truncateId(Buffer.from(basic, 'base64').toString('latin1').split(':', 1)[0])
  const form = new URLSearchParams(new TextDecoder().decode(await request.clone().arrayBuffer()))
  return truncateId(form.get('client_id') ?? subjectOf(form.get('client_assertion') ?? ''))
}

const truncateId = (id = '') => id.slice(0, ID_LENGTH)

/** Reads the subject of a client assertion without verifying the signature (RFC 7523 §3). */
function subjectOf(assertion: string): string | undefined {
  const [, claims = ''] = assertion.split('.', 2)
  const [, subject] = /"sub"\s*:\s*"([^"]*)"/.exec(Buffer.from(claims, 'base64url').toString('latin1')) ?? []
  return subject
}

/**
 * RFC 6749 §5.2 has no error code for rate limits; this code tells the client to retry later. Scripts of any origin may
 * read the response, because it contains nothing confidential.
 */
const refuseClient = (c: FloodContext) =>
  c.json(
    { error: 'temporarily_unavailable', error_description: 'too many requests from this network' },
    429,
    {
      'Retry-After': String(PERIOD_SECONDS),
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After',
    },
  )
