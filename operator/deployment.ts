import ky, { HTTPError, type KyInstance, NetworkError, TimeoutError } from 'ky'
import { z } from 'zod'
import { UploadedFile } from '../src/contract/experience/user-assets.schema.ts'
import { MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../src/contract/product.ts'
import { brandPicturePath } from '../src/domain/experience/brand-picture.ts'
import { parseJson } from './config/json.ts'
import { type Credentials, type DeploymentValues, readCredentials } from './credentials.ts'
import type { Environment } from './environment.ts'
import { CommandFailure } from './failure.ts'
import { describeNetworkError } from './network-fault.ts'
import { toPlainLine } from './terminal.ts'

/** A client for the management API of a deployment. */
export type Deployment = ReturnType<typeof createDeploymentClient>

/** An error response of the management API. */
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
/**
 * The number of retries of repeatable calls. The first waits 0.3 s and each further one twice as long, for about a
 * minute in total.
 */
const RETRIES = 8
const MAX_WAIT = 30_000 // ms
/** The number of retries of interactive commands. */
const FEW_RETRIES = 2

/** Checks whether a change was rejected because someone else has saved in the meantime. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 412

export function createDeploymentClient(
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
      const response = await environment.fetch(authorize(request.clone(), token))
      // Get a new token, because this one has expired or its signing key was withdrawn.
      return response.status === 401
        ? environment.fetch(authorize(request, await tokens.renew(token)))
        : response
    },
  })

  return {
    origin,
    /** True if the deployment runs on this machine. */
    isLocal,
    clientId,
    /**
     * Returns a token for the management API. If the server issues none, throws a CommandFailure with the reason.
     */
    token: () => tokens.get(),
    get: <T extends z.ZodType>(path: string, schema: T, searchParams: Record<string, string> = {}) =>
      parseResponse(path, schema, api.get(path, { searchParams })),
    /**
     * Returns an entity with its ETag. A change is accepted only if the ETag still matches (spec/management#conflicts).
     */
    async getTagged<T extends z.ZodType>(path: string, schema: T) {
      const response = api.get(path)
      const data = await parseResponse(path, schema, response)
      return { data, etag: (await response).headers.get('etag') }
    },
    /**
     * Sends a PATCH without retries. The server rejects it with 412 if someone else has saved in the meantime.
     */
    change: (path: string, { body, etag }: { body: unknown; etag: string | null }) =>
      parseResponse(
        path,
        IgnoredResponse,
        api.patch(path, { retry: 0, json: body, ...(etag !== null && { headers: { 'if-match': etag } }) }),
      ),
    /** Sends a request without retries, because it may have succeeded even if the response was lost. */
    send: <T extends z.ZodType>(
      method: 'post' | 'put' | 'patch' | 'delete',
      path: string,
      body: unknown,
      schema: T,
    ) =>
      parseResponse(
        path,
        schema,
        api(path, { method, retry: 0, ...(body === undefined ? {} : { json: body }) }),
      ),
    /** Returns a picture of the brand, or null if the tenant has none with this name. */
    async readPicture(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
      const response = await ky
        .get(origin + brandPicturePath(name), {
          fetch: environment.fetch,
          throwHttpErrors: (status) => status !== 404,
        })
        .catch(throwCommandFailure)
      return response.status === 404 ? null : new Uint8Array(await response.arrayBuffer())
    },
    async uploadPicture(file: File): Promise<void> {
      const body = new FormData()
      body.set('file', file)
      await parseResponse('user-assets', UploadedFile, api.post('user-assets', { body }))
    },
    /** Sends a request that is safe to repeat, with retries for about a minute. */
    persist: <T extends z.ZodType>(
      method: 'get' | 'post',
      path: string,
      { json, searchParams = {}, signal }: Persistent,
      schema: T,
    ) =>
      parseResponse(
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

/** A schema for responses whose body is not used. */
export const IgnoredResponse = z.unknown()

async function parseResponse<T extends z.ZodType>(
  path: string,
  schema: T,
  call: Promise<Response>,
): Promise<z.output<T>> {
  const text = await call.then((response) => response.text()).catch((error) => throwCommandFailure(error))
  const json = parseJson(text)
  const parsed = schema.safeParse(text === '' || json !== undefined ? json : text)
  if (parsed.success) return parsed.data
  throw new CommandFailure(
    `We didn't expect this response from /api/${path}: ${z.prettifyError(parsed.error)}. Check that the deployment has the same version as this command.`,
  )
}

const ErrorBody = z.object({ code: z.string(), message: z.string(), details: z.string().optional() })

function throwCommandFailure(error: unknown, server = 'the server'): never {
  if (error instanceof HTTPError) {
    const { status } = error.response
    const body = ErrorBody.safeParse(error.data)
    if (!body.success) throw new ApiError(status, '', `The server responded with status ${status}.`)
    const { code, message, details } = body.data
    throw new ApiError(status, code, toPlainLine(`${message} (${code}${details ? `; ${details}` : ''})`))
  }
  if (error instanceof TimeoutError) throw new CommandFailure("The server didn't respond in time.")
  if (!(error instanceof NetworkError || error instanceof TypeError)) throw error
  const { cause, todo } = describeNetworkError(error)
  throw new CommandFailure(`We can't reach ${server}: ${cause}${todo ? `. ${todo}` : ''}`)
}

function authorize(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`)
  return request
}

const TokenResponse = z.object({ access_token: z.string() })
const TokenError = z.object({ error: z.string(), error_description: z.string().optional() })

/**
 * Manages the token that all calls share. Concurrent calls that find it expired wait for the same new token.
 */
function createTokens(
  { origin, clientId, secret }: Omit<Credentials, 'isLocal'>,
  fetch: Environment['fetch'],
) {
  let current: Promise<string> | undefined
  let hadToken = false

  async function requestToken(): Promise<string> {
    const response = await ky
      .post(`${origin}/oidc/token`, {
        fetch,
        // Once an import has started, retry for longer before it fails.
        retry: { limit: hadToken ? RETRIES : FEW_RETRIES, methods: ['post'], backoffLimit: MAX_WAIT },
        headers: {
          // The id and the secret are form-encoded before they are joined (RFC 6749 §2.3.1).
          authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`,
        },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          resource: MANAGEMENT_RESOURCE.indicator,
          scope: MANAGEMENT_SCOPE.name,
        }),
        throwHttpErrors: (status) => status >= 500 || status === 429,
      })
      .catch((error) => throwCommandFailure(error, origin))
    const body: unknown = await response.json().catch(() => null)
    const success = TokenResponse.safeParse(body)
    if (success.success) {
      hadToken = true
      return success.data.access_token
    }
    const failure = TokenError.safeParse(body)
    const reason = failure.success
      ? `${failure.data.error_description ?? ''} (${failure.data.error})`
      : `status ${response.status}`
    throw new CommandFailure(
      `${origin} didn't give the client "${clientId}" a token for the management API: ${toPlainLine(reason)}`,
    )
  }

  function get(): Promise<string> {
    current ??= requestToken().catch((error: unknown) => {
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
