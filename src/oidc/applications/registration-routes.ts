import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { deleteApplication } from '../../application/applications/change.ts'
import {
  changeRegisteredClient,
  countRegistration,
  findClientByToken,
  registerClient,
} from '../../application/applications/registration.ts'
import { createAuditTrail } from '../../application/audit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { isRecord } from '../../contract/is-record.ts'
import {
  isRegistrationError,
  parseRegistration,
  type RegisteredMetadata,
} from '../../domain/applications/client-registration.ts'
import { toClientInformation } from './client-information.ts'

/**
 * Serves dynamic client registration (RFC 7591, RFC 7592, spec/provider#client-registration). The module is loaded on
 * the first registration request.
 */

type RegistrationDependencies = Pick<
  Dependencies,
  'db' | 'seals' | 'now' | 'settings' | 'tenantSettings' | 'applications'
>
/** The facts about the request, which the router that loads this module passes on. */
type Facts = { Bindings: RequestFacts }
type RegistrationContext = Context<Facts>

const BODY_MAX_BYTES = 32 * 1024

export function registrationRoutes(dependencies: RegistrationDependencies, path: string) {
  const routes = new Hono<Facts>().onError((error) => {
    throw error
  })
  // These routes do not use cookies, so clients with a token may call them from any origin.
  for (const route of [path, `${path}/:id`]) {
    routes.use(route, cors({ origin: '*', allowMethods: ['GET', 'POST', 'PUT', 'DELETE'], maxAge: 3600 }))
    routes.use(route, async (c, next) => {
      const retryAfter = await countRegistration(dependencies, { tenantId: c.env.tenantId, ip: c.env.ip })
      if (retryAfter === null) return next()
      c.header('Retry-After', String(retryAfter))
      return refuse(c, 429, 'temporarily_unavailable', 'too many registrations from this network')
    })
    routes.use(route, bounded)
  }

  routes.post(path, async (c) => {
    const { tenantId } = c.env
    const initialToken = bearerOf(c)
    if (!initialToken) return refuseToken(c)
    const input = await metadataOf(c)
    if (input instanceof Response) return input
    const { metadata } = input
    const audit = auditOf(c, 'Create', {})
    const outcome = await registerClient(dependencies, { tenantId, initialToken, metadata, audit })
    switch (outcome.kind) {
      case 'registered':
        return respond(c, 201, toClientInformation(outcome.application, addressOf(c), outcome.token))
      case 'quotaReached':
        return refuse(c, 403, 'access_denied', 'this server does not accept more clients')
      case 'unknownToken':
        return refuseToken(c)
    }
  })

  routes.get(`${path}/:id`, async (c) => {
    const registered = await ownClient(c)
    return registered
      ? respond(c, 200, toClientInformation(registered.client, addressOf(c), registered.token))
      : refuseToken(c)
  })

  routes.put(`${path}/:id`, async (c) => {
    const registered = await ownClient(c)
    if (!registered) return refuseToken(c)
    const read = await metadataOf(c)
    if (read instanceof Response) return read
    const problem = replacementProblem(read.body, registered.client)
    if (problem) return refuse(c, 400, 'invalid_client_metadata', problem)
    const call = { tenantId: c.env.tenantId, ...registered }
    const audit = auditOf(c, 'Update', { applicationId: registered.client.id })
    const changed = await changeRegisteredClient(dependencies, call, { metadata: read.metadata, audit })
    return changed
      ? respond(c, 200, toClientInformation(changed, addressOf(c), registered.token))
      : refuseToken(c)
  })

  routes.delete(`${path}/:id`, async (c) => {
    const registered = await ownClient(c)
    if (!registered) return refuseToken(c)
    const { id } = registered.client
    const audit = auditOf(c, 'Delete', { applicationId: id })
    await deleteApplication(dependencies, { tenantId: c.env.tenantId, id, audit })
    return c.body(null, 204, NO_STORE)
  })
  return routes

  async function ownClient(c: RegistrationContext) {
    const token = bearerOf(c)
    const id = c.req.param('id') ?? ''
    const client = token && (await findClientByToken(dependencies, { tenantId: c.env.tenantId, id, token }))
    return client ? { client, token } : null
  }

  async function metadataOf(
    c: RegistrationContext,
  ): Promise<{ body: Record<string, unknown>; metadata: RegisteredMetadata } | Response> {
    const isJson = /^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')
    const body: unknown = isJson ? await c.req.json().catch(() => undefined) : undefined
    if (!isRecord(body)) return refuse(c, 400, 'invalid_client_metadata', 'the body must be a JSON object')
    const { scopes } = (await dependencies.tenantSettings.get(c.env.tenantId)).clientRegistration
    const metadata = parseRegistration(body, { scopes, environment: dependencies.settings.environment })
    return isRegistrationError(metadata)
      ? refuse(c, 400, metadata.error, metadata.description)
      : { body, metadata }
  }

  /** Begins the audit entry of a change. Rejected calls are not recorded, because anyone can make them. */
  function auditOf(c: RegistrationContext, action: 'Create' | 'Update' | 'Delete', target: object) {
    const caller = { ip: c.env.ip, userAgent: c.req.header('user-agent') }
    return createAuditTrail(dependencies, caller).begin(`ClientRegistration.${action}`, { ...target })
  }
}

const bounded = bodyLimit({
  maxSize: BODY_MAX_BYTES,
  onError: (c) =>
    c.json({ error: 'invalid_client_metadata', error_description: 'the body is too large' }, 413, NO_STORE),
})

const NO_STORE = { 'Cache-Control': 'no-store' }

/**
 * Checks a client's new metadata. It must be complete and include the client id, but none of the fields that the server
 * sets (RFC 7592 §2.2).
 */
function replacementProblem(
  body: Record<string, unknown>,
  { id, secret }: { id: string; secret: string },
): string | null {
  const serverField = ['registration_access_token', 'registration_client_uri', 'client_id_issued_at'].find(
    (name) => name in body,
  )
  if (serverField || 'client_secret_expires_at' in body)
    return `${serverField ?? 'client_secret_expires_at'} must not be sent`
  if (body.client_id !== id) return 'client_id must match the client'
  return body.client_secret === undefined || body.client_secret === secret
    ? null
    : 'client_secret does not match'
}

const bearerOf = (c: RegistrationContext): string =>
  /^bearer +([\w~+/.-]+=*)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''

const addressOf = (c: RegistrationContext): string => {
  const { origin, pathname } = new URL(c.req.url)
  return origin + (c.req.param('id') === undefined ? pathname : pathname.slice(0, pathname.lastIndexOf('/')))
}

const respond = (c: RegistrationContext, status: 200 | 201, body: object) => c.json(body, status, NO_STORE)

function refuse(c: RegistrationContext, status: 400 | 401 | 403 | 429, error: string, description: string) {
  return c.json({ error, error_description: description }, status, NO_STORE)
}

/**
 * The error does not reveal whether the client or the token is unknown. If the request has no token, the challenge has
 * no error code (RFC 6750 §3.1).
 */
function refuseToken(c: RegistrationContext) {
  if (!bearerOf(c)) {
    c.header('WWW-Authenticate', 'Bearer')
    return c.body(null, 401, NO_STORE)
  }
  c.header('WWW-Authenticate', 'Bearer error="invalid_token"')
  return refuse(c, 401, 'invalid_token', 'the token is unknown, expired or used up')
}
