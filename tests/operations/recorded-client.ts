import { randomBytes } from 'node:crypto'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  type PreparedAuthorization,
  resumeAuthorization,
} from '../kit/clients/cookie-client.ts'
import type { RunServer } from './restorable-server.ts'
import type { RecordedSecrets } from './secrets.ts'

/** A client that records all secrets that it sends and receives, and can make calls as an operator. */
export type RecordedRun = {
  server: RunServer
  secrets: RecordedSecrets
  site: { fetch(path: string, init?: RequestInit): Promise<Response> }
  /** Calls an API path below /api as the operator. */
  manage(method: string, path: string, body?: unknown): Promise<Response>
  /** Makes a POST request as the operator, and returns the parsed response. */
  make(path: string, body: unknown): Promise<{ id: string; secret: string }>
  token(form: Record<string, string>, basic?: [id: string, secret: string]): Promise<Record<string, string>>
}

/** Returns a unique password whose characters are escaped differently in each encoding. */
export const freshPassword = () => `pass+&"word-${randomBytes(9).toString('base64url')}`
export const freshEmail = () => `${freshName()}@provider-accounts.example`

export async function beginRecordedRun(server: RunServer, secrets: RecordedSecrets): Promise<RecordedRun> {
  const site: RecordedRun['site'] = {
    fetch: (path, init) => secrets.fetch(new URL(path, server.origin), init),
  }
  const token: RecordedRun['token'] = async (form, basic) => {
    const answer = await site.fetch('/oidc/token', {
      method: 'POST',
      headers: basic
        ? { authorization: `Basic ${btoa(basic.map(encodeURIComponent).join(':'))}` }
        : undefined,
      body: new URLSearchParams(form),
    })
    return (await answer.json()) as Record<string, string>
  }
  const { access_token: bearer } = await token(
    { grant_type: 'client_credentials', resource: 'urn:vestibule:management-api', scope: 'all' },
    ['management', server.managementSecret],
  )
  const manage: RecordedRun['manage'] = (method, path, body) =>
    site.fetch(`/api${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    server,
    secrets,
    site,
    token,
    manage,
    async make(path, body) {
      const answer = await manage('POST', path, body)
      if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { id: string; secret: string }
    },
  }
}

/** A user who is signing in to an application. */
export type InteractionClient = {
  client: CookieClient
  uid: string
  request: PreparedAuthorization
  call(method: string, path: string, body?: unknown): Promise<Response>
  form(path: string, form: Record<string, string>): Promise<Response>
  /** Returns the last code sent to an address. */
  codeFor(address: string): Promise<string>
  /** Submits, consents if necessary, and returns the application's authorization code. */
  enter(): Promise<string>
}

export async function beginInteraction(
  { site, server, secrets }: RecordedRun,
  parameters: Record<string, string> = {},
): Promise<InteractionClient> {
  const client = newCookieClient(site)
  const request = await authorizationRequest({ redirect_uri: `${server.origin}/demo-app`, ...parameters })
  secrets.add('PKCE verifier', request.verifier)
  const locationOf = (response: Response) =>
    new URL(response.headers.get('location') ?? '/lost', server.origin)
  const uid = locationOf(await client.get(request.url)).searchParams.get('interaction') ?? ''
  const call: InteractionClient['call'] = (method, path, body) =>
    client.send(method, `/api/interaction${path}`, body, { Interaction: uid })

  return {
    client,
    uid,
    request,
    call,
    form: (path, form) =>
      client.post(
        path,
        { interaction: uid, ...form },
        {
          origin: server.origin,
          'sec-fetch-site': 'same-origin',
          accept: 'text/html',
        },
      ),
    async codeFor(address) {
      const answer = await site.fetch(`/dev/inbox.json?to=${encodeURIComponent(address)}`)
      const [newest] = (await answer.json()) as { code: string }[]
      secrets.add('verification code', newest?.code)
      return newest?.code ?? ''
    },
    async enter() {
      let next = await resumeAuthorization(client, await call('POST', '/submit'))
      if (next.pathname === '/sign-in/consent') {
        const consent = { Interaction: next.searchParams.get('interaction') ?? '' }
        const answer = await client.send('POST', '/api/interaction/consent', undefined, consent)
        next = await resumeAuthorization(client, answer)
      }
      const code = next.searchParams.get('code')
      if (!code) throw new Error(`No code at ${next}`)
      return code
    },
  }
}
