import { inject } from 'vitest'

/** Through the front door of the started server: a token of the built-in client (decision 44). */
export async function managementToken(): Promise<string> {
  const answer = await fetch(`${inject('origin')}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`management:${inject('managementSecret')}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: 'urn:vestibule:management-api',
      scope: 'all',
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Calls of its management API. */
export async function management() {
  const origin = inject('origin')
  const token = await managementToken()

  return async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? undefined : await response.json()) as T
  }
}

export type NewApplication = { id: string; secret: string }
export type NewUser = { id: string }
