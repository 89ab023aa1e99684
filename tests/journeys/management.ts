import { inject } from 'vitest'

/** Calls the management API. Throws if the response is an error. */
export type ManagementCall = <T>(method: string, path: string, body?: unknown) => Promise<T>

export type NewApplication = { id: string; secret: string }
export type NewUser = { id: string }

/**
 * Returns a token of the built-in client, which can administer every tenant at that tenant's host
 * (spec/management#management-authentication).
 */
export async function bearerToken(
  origin: string,
  { resource, scope } = { resource: 'urn:vestibule:management-api', scope: 'all' },
): Promise<string> {
  const answer = await fetch(`${origin}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`management:${inject('managementSecret')}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
  })
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { access_token: string }).access_token
}

export const callsOf =
  (origin: string, token: string): ManagementCall =>
  async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
