import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import {
  type Binding,
  type Counter,
  isAboveFreshReadLimit,
  isAboveLimit,
  PERIOD_SECONDS,
  refuseAboveLimit,
} from '../application/network-limit.ts'
import { bypassesCache, type RequestFacts } from '../application/request.ts'
import { ID_LENGTH } from '../contract/ids.ts'
import { boundedPushedRequest } from './posted-requests.ts'

type FloodContext = Context<{ Variables: RequestFacts }>

/**
 * Limits how often one network asks the provider (spec/limits#flood-limits). Before anything else: a request above the
 * limit costs no query and leaves no row; a browser's page of the refusal is made of cached settings. Where a deployment has
 * no limit bound, or the address is not known, all pass.
 */
export function floodLimited({ floodLimits }: Pick<Dependencies, 'floodLimits'>, mount: string) {
  // The first pattern matches `/auth` as well.
  const routes = new Hono<{ Variables: RequestFacts }>()
  for (const path of [`${mount}/auth/*`, '/restart']) {
    routes.use(path, refusedAbove(floodLimits.authorization, ''))
  }
  routes.use(`${mount}/request`, boundedPushedRequest, async (c, next) => {
    const { ip } = c.var
    const client = `${await clientOf(c.req.raw)} ` as const
    const isAbove =
      (await isAboveLimit(floodLimits.authorization, ip, 'pushed ')) ||
      (await isAboveLimit(floodLimits.pushedRequest, ip, client))
    return isAbove ? refusedClient(c) : next()
  })
  routes.use(`${mount}/device/auth`, boundedPushedRequest, async (c, next) =>
    (await isAboveLimit(floodLimits.authorization, c.var.ip, 'device ')) ? refusedClient(c) : next(),
  )
  // The pattern matches `/register` as well. The limit of the tenant behind it is a written row for each call.
  routes.use(`${mount}/register/*`, async (c, next) =>
    (await isAboveLimit(floodLimits.authorization, c.var.ip, 'register ')) ? refusedClient(c) : next(),
  )
  // The pattern matches `/device` as well.
  routes.use(`${mount}/device/*`, async (c, next) =>
    c.req.path.endsWith('/device/auth')
      ? next()
      : refusedAbove(floodLimits.authorization, 'device-page ')(c, next),
  )
  routes.use(`${mount}/session/*`, refusedAbove(floodLimits.authorization, 'session '))
  for (const [path, counter] of Object.entries(protocolCalls)) {
    routes.use(mount + path, async (c, next) =>
      (await isAboveLimit(floodLimits.token, c.var.ip, counter)) ? refusedClient(c) : next(),
    )
  }
  return routes
}

/** What programs call, and how each is counted. */
const protocolCalls = {
  '/token': '',
  '/token/introspection': 'introspection ',
  '/token/revocation': 'revocation ',
  '/me': 'userinfo ',
} as const satisfies Record<string, Counter>

/** Limits the calls of sign-in pages in the same way: each may write the row of its interaction. */
export function interactionsLimited({ floodLimits }: Pick<Dependencies, 'floodLimits'>, path: string) {
  return new Hono<{ Variables: RequestFacts }>().use(
    path,
    refusedAbove(floodLimits.authorization, 'interaction '),
  )
}

/** Limits the pages and forms of the account centre in the same way: a page may look up an application that its link names. */
export function accountPagesLimited({ floodLimits }: Pick<Dependencies, 'floodLimits'>, path: string) {
  return new Hono<{ Variables: RequestFacts }>().use(
    path,
    refusedAbove(floodLimits.authorization, 'account '),
  )
}

/**
 * Limits the reads past the cache that anybody may ask the API for. Where the cache serves, nothing is limited: it costs no
 * query. Pages above the limit are served from the cache (`readPageContext`).
 */
export function freshReadsLimited(dependencies: Pick<Dependencies, 'floodLimits'>, path: string) {
  return new Hono<{ Variables: RequestFacts }>().use(path, async (c, next) => {
    const isFresh = bypassesCache(c.var, c.req.header('cache-control'))
    return isFresh && (await isAboveFreshReadLimit(dependencies, c.var.ip)) ? refuseAboveLimit() : next()
  })
}

const refusedAbove =
  (binding: Binding, counter: Counter): MiddlewareHandler<{ Variables: RequestFacts }> =>
  async (c, next) =>
    (await isAboveLimit(binding, c.var.ip, counter)) ? refuseAboveLimit() : next()

/** The client that a pushed request names (RFC 6749 §2.3.1), whoever sends it. Its body is bounded before. */
async function clientOf(request: Request): Promise<string> {
  const [, basic] = /^basic\s+([\w+/=-]+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (basic) return bounded(Buffer.from(basic, 'base64').toString('latin1').split(':', 1)[0])
  const form = new URLSearchParams(new TextDecoder().decode(await request.clone().arrayBuffer()))
  return bounded(form.get('client_id') ?? subjectOf(form.get('client_assertion') ?? ''))
}

const bounded = (named = '') => named.slice(0, ID_LENGTH)

/** Of an assertion, without a look at its signature (RFC 7523 §3). */
function subjectOf(assertion: string): string | undefined {
  const [, claims = ''] = assertion.split('.', 2)
  const [, subject] = /"sub"\s*:\s*"([^"]*)"/.exec(Buffer.from(claims, 'base64url').toString('latin1')) ?? []
  return subject
}

/** RFC 6749 §5.2 has no code for it; this one asks to come back. Scripts of any origin may read it: it holds nothing. */
const refusedClient = (c: FloodContext) =>
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
