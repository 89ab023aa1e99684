import { currentLanguage } from '../phrases.ts'
import { apiOrigin } from '../session/place.ts'
import { type ApiName, canRetrySignIn, createAuthHeaders, signIn } from '../session/session.ts'
import { buildApiUrl } from './api-address.ts'
import { ApiProblem, INVALID_PATH_CODE } from './problem.ts'
import type { Issue } from './problem-words.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type ApiResponse<T> = {
  data: T
  /** The value for `If-Match` in the next change (spec/console#conflicts). */
  etag: string | null
  /** The number of entries in a paged list, or null if the response isn't a list. */
  total: number | null
  /** True if the list has more entries than `total` (spec/management#totals). */
  isCapped: boolean
}

export type Call = {
  method?: Method
  body?: unknown
  /** The query parameters. A list is sent as a repeated parameter, once per value. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  /** The ETag that the entity must have. Otherwise, the API responds with 412. */
  ifMatch?: string | null
  /** The API to call, which determines the token that is sent. The default is the management API. */
  api?: ApiName
  /** If true, the API responds with 412 if the entity already exists. */
  mustBeNew?: boolean
  signal?: AbortSignal
}

const TIMEOUT_MS = 30_000

/**
 * Calls an API of the tenant. `path` begins after `/api`. The response has the type that the OpenAPI document
 * declares, because both are defined by `src/contract`.
 *
 * @throws {ApiProblem} if the API rejects the call or doesn't respond.
 */
export async function call<T>(
  path: string,
  { method = 'GET', body, query, ifMatch, mustBeNew, api = 'management', signal }: Call = {},
): Promise<ApiResponse<T>> {
  const url = buildApiUrl(path, apiOrigin)
  if (!url) throw new ApiProblem({ status: 404, code: INVALID_PATH_CODE, message: path })
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') url.searchParams.append(name, String(one))
    }
  }
  // The DPoP proof contains the URL without its query (RFC 9449 §4.2).
  const credentials = await createAuthHeaders(api, { url: url.origin + url.pathname, method })
  if (!credentials) return signInAgain(api)
  const isUpload = body instanceof FormData || body instanceof Blob
  const answer = await send(url, {
    method,
    headers: {
      ...credentials,
      'accept-language': document.documentElement.lang,
      ...(body !== undefined && !isUpload && { 'content-type': 'application/json' }),
      ...(ifMatch && { 'if-match': ifMatch }),
      ...(mustBeNew && { 'if-none-match': '*' }),
    },
    ...(body !== undefined && { body: isUpload ? body : JSON.stringify(body) }),
    // This is needed if the console has its own host. Otherwise, the browser would discard the cookie of a connector
    // test. The API itself reads no cookies.
    credentials: 'include',
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
  })
  if (!answer.ok) return throwRefusal(answer, api)
  const total = answer.headers.get('total-number')
  return {
    data: (answer.status === 204 ? undefined : await readBody(answer)) as T,
    etag: answer.headers.get('etag'),
    total: total === null ? null : Number(total),
    isCapped: answer.headers.has('total-capped'),
  }
}

const readBody = (answer: Response): Promise<unknown> =>
  answer.headers.get('content-type')?.includes('json') ? answer.json() : answer.text()

async function send(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiProblem({ status: 0, code: 'network', message: String(error) })
  }
}

async function throwRefusal(answer: Response, api: ApiName): Promise<never> {
  const challenge = answer.headers.get('www-authenticate') ?? ''
  const challengeValue = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(challenge)?.[1]
  if (answer.status === 401 && canRetrySignIn()) {
    const level = challengeValue('acr_values')
    const maxAge = challengeValue('max_age')
    // The API requires a more recent or a stronger sign-in (RFC 9470). Unsaved changes are kept (drafts.ts).
    return signInAgain(api, {
      ...(maxAge && { max_age: Number(maxAge) }),
      ...(level && { acr_values: level }),
    })
  }
  const body = await answer.json().catch(() => ({}))
  throw new ApiProblem({
    status: answer.status,
    code: body.code ?? 'server.internal',
    message: typeof body.message === 'string' ? body.message : '',
    data: Array.isArray(body.data?.issues)
      ? { ...body.data, issues: await translateIssues(body.data.issues) }
      : body.data,
    requestId: answer.headers.get('x-request-id'),
  })
}

/** Translates the issues into the language of the console. The translations are loaded with the first rejected call. */
async function translateIssues(issues: readonly Issue[]): Promise<Issue[]> {
  const { describeProblem } = await import('./problem-words.ts')
  return issues.map((issue) => ({ ...issue, message: describeProblem(issue, currentLanguage()) }))
}

/** Leaves the page to sign in. The promise never settles, so the caller doesn't continue. */
async function signInAgain(api: ApiName, requirements: Parameters<typeof signIn>[0] = {}): Promise<never> {
  await signIn(requirements, api)
  return new Promise(() => {})
}
