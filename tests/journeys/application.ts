import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'
import { management, type NewApplication } from './management.ts'

/** An application elsewhere: it sends people to the provider, and says what it was told when they come back. */
export type Application = {
  /** An authorization of its own; whoever follows it ends at `callback`. */
  authorizationUrl(parameters?: Record<string, string>): Promise<{ url: string; state: string }>
  callback: string
  close(): void
}

export async function openApplication(name: string): Promise<Application> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><title>${name}</title><h1>Welcome to ${name}</h1>`,
    )
    request.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`

  const call = await management()
  const { id } = await call<NewApplication>('POST', '/applications', {
    name,
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [callback], postLogoutRedirectUris: [callback] },
  })

  return {
    callback,
    close: () => server.close(),
    async authorizationUrl(parameters = {}) {
      const state = crypto.randomUUID()
      const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(crypto.randomUUID()))
      const query = new URLSearchParams({
        client_id: id,
        response_type: 'code',
        scope: 'openid profile',
        redirect_uri: callback,
        code_challenge: Buffer.from(challenge).toString('base64url'),
        code_challenge_method: 'S256',
        state,
        ...parameters,
      })
      return { url: `${inject('origin')}/oidc/auth?${query}`, state }
    },
  }
}
