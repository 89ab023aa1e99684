import ky, { HTTPError, type KyInstance, NetworkError, TimeoutError } from 'ky'
import { z } from 'zod'
import { MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../src/contract/product.ts'
import { parseJson } from './config/json.ts'
import { type Credentials, type DeploymentValues, readCredentials } from './credentials.ts'
import type { Environment } from './environment.ts'
import { CommandFailure } from './failure.ts'
import { describeNetworkError } from './network-fault.ts'
import { plainLine } from './terminal.ts'

/** A deployment, reached through its management API only. */
export type Deployment = ReturnType<typeof openDeployment>

/** A call that the server refused. */
export class ApiError extends CommandFailure {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const TIMEOUT = 60_000 // ms; the server hashes the passwords of an import one after another
/** Retries of repeatable calls: after 0.3 s, then twice as long each time, about a minute in total. */
const RETRIES = 8
const MAX_WAIT = 30_000 // ms
/** Retries of interactive commands. */
const FEW_RETRIES = 2

/** Whether a change was refused because somebody else has saved since. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 412

export function openDeployment(
  values: DeploymentValues,
  environment: Pick<Environment, 'env' | 'folder' | 'fetch'>,
) {
  const { origin, isLocal, clientId, secret } = readCredentials(values, environment)
  const tokens = createTokens({ origin, clientId, secret }, environment.fetch)

  const api: KyInstance = ky.create({
    prefix: `${origin}/api`,
    timeout: TIMEOUT,
    headers: { 'accept-language': 'en' },
    retry: { limit: FEW_RETRIES, backoffLimit: MAX_WAIT, maxRetryAfter: 2 * MAX_WAIT },
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const token = await tokens.get()
      const answer = await environment.fetch(authorized(request.clone(), token))
      // The token has expired, or its signing keys were withdrawn.
      return answer.status === 401
        ? environment.fetch(authorized(request, await tokens.renew(token)))
        : answer
    },
  })

  return {
    origin,
    /** Whether it runs on this machine. */
    isLocal,
    clientId,
    /** A token for the management API; throws a CommandFailure with the reason if there is none. */
    token: () => tokens.get(),
    get: <T extends z.ZodType>(path: string, schema: T, searchParams: Record<string, string> = {}) =>
      parseAnswer(path, schema, api.get(path, { searchParams })),
    /** An entity, with the tag that a change of it is held to (spec/management#conflicts). */
    async getTagged<T extends z.ZodType>(path: string, schema: T) {
      const answer = api.get(path)
      const data = await parseAnswer(path, schema, answer)
      return { data, etag: (await answer).headers.get('etag') }
    },
    /** A PATCH that is refused with 412 if somebody else has saved since. Sent once, as `send`. */
    change: (path: string, { body, etag }: { body: unknown; etag: string | null }) =>
      parseAnswer(
        path,
        IgnoredResponse,
        api.patch(path, { retry: 0, json: body, ...(etag !== null && { headers: { 'if-match': etag } }) }),
      ),
    /** Sent once, because a call may have succeeded although its answer was lost. */
    send: <T extends z.ZodType>(
      method: 'post' | 'put' | 'patch' | 'delete',
      path: string,
      body: unknown,
      schema: T,
    ) =>
      parseAnswer(
        path,
        schema,
        api(path, { method, retry: 0, ...(body === undefined ? {} : { json: body }) }),
      ),
    /** For repeatable calls: retried for about a minute. */
    persist: <T extends z.ZodType>(
      method: 'get' | 'post',
      path: string,
      { json, searchParams = {}, signal }: Persistent,
      schema: T,
    ) =>
      parseAnswer(
        path,
        schema,
        api(path, {
          method,
          searchParams,
          ...(json === undefined ? {} : { json }),
          ...(signal && { signal }),
          retry: { limit: RETRIES, methods: [method], retryOnTimeout: true, jitter: true },
        }),
      ),
  }
}

type Persistent = { json?: unknown; searchParams?: Record<string, string>; signal?: AbortSignal }

/** For calls whose answer is not used. */
export const IgnoredResponse = z.unknown()

async function parseAnswer<T extends z.ZodType>(
  path: string,
  schema: T,
  call: Promise<Response>,
): Promise<z.output<T>> {
  const text = await call.then((response) => response.text()).catch(throwExplained)
  const json = parseJson(text)
  const parsed = schema.safeParse(text === '' || json !== undefined ? json : text)
  if (parsed.success) return parsed.data
  throw new CommandFailure(
    `Unexpected answer of /api/${path}: ${z.prettifyError(parsed.error)}. Does the deployment have the same version as this command?`,
  )
}

const ErrorBody = z.object({ code: z.string(), message: z.string(), details: z.string().optional() })

function throwExplained(error: unknown): never {
  if (error instanceof HTTPError) {
    const { status } = error.response
    const body = ErrorBody.safeParse(error.data)
    if (!body.success) throw new ApiError(status, '', `The server answered ${status}.`)
    const { code, message, details } = body.data
    throw new ApiError(status, code, plainLine(`${message} (${code}${details ? `; ${details}` : ''})`))
  }
  if (error instanceof TimeoutError) throw new CommandFailure('The server did not answer in time.')
  if (!(error instanceof NetworkError || error instanceof TypeError)) throw error
  const { cause, todo } = describeNetworkError(error)
  throw new CommandFailure(`The server cannot be reached: ${cause}${todo ? `. ${todo}` : ''}`)
}

function authorized(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`)
  return request
}

const TokenAnswer = z.object({ access_token: z.string() })
const TokenRefusal = z.object({ error: z.string(), error_description: z.string().optional() })

/** One token for all calls; concurrent calls that find it expired wait for the same new one. */
function createTokens(
  { origin, clientId, secret }: Omit<Credentials, 'isLocal'>,
  fetch: Environment['fetch'],
) {
  let current: Promise<string> | undefined
  let hadOne = false

  async function ask(): Promise<string> {
    const response = await ky
      .post(`${origin}/oidc/token`, {
        fetch,
        // Longer in the middle of an import.
        retry: { limit: hadOne ? RETRIES : FEW_RETRIES, methods: ['post'], backoffLimit: MAX_WAIT },
        headers: {
          // RFC 6749 §2.3.1: id and secret are form-encoded first.
          authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`,
        },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          resource: MANAGEMENT_RESOURCE.indicator,
          scope: MANAGEMENT_SCOPE.name,
        }),
        throwHttpErrors: (status) => status >= 500 || status === 429,
      })
      .catch(throwExplained)
    const body: unknown = await response.json().catch(() => null)
    const granted = TokenAnswer.safeParse(body)
    if (granted.success) {
      hadOne = true
      return granted.data.access_token
    }
    const refused = TokenRefusal.safeParse(body)
    const why = refused.success
      ? `${refused.data.error_description ?? ''} (${refused.data.error})`
      : `status ${response.status}`
    throw new CommandFailure(
      `${origin} refuses the client "${clientId}" a token for the management API: ${plainLine(why)}`,
    )
  }

  function get(): Promise<string> {
    current ??= ask().catch((error: unknown) => {
      current = undefined
      throw error
    })
    return current
  }

  return {
    get,
    async renew(stale: string): Promise<string> {
      if (current && (await current) === stale) current = undefined
      return get()
    },
  }
}
