/**
 * The kinds of upstream servers. Each needs a client that is registered at the server (RFC 7591) and a
 * connector of ours that uses the client.
 */
export type UpstreamKind =
  | 'oidc'
  | 'oidcSigned'
  | 'oidcFormPost'
  | 'oidcFragment'
  | 'google'
  | 'oauth2'
  | 'github'

type Servers = { openid: string; oauth: string }

/** The body of `POST /api/connectors`. */
export type Installation = {
  connectorId: string
  id: string
  config: Record<string, unknown>
  metadata?: { target: string; name: Record<string, string> }
  syncProfile?: boolean
}

/**
 * Registers a client for the callback of the connector `id` at `origin`, and returns the connector to
 * install.
 */
export async function registerConnector(
  servers: Servers,
  kind: UpstreamKind,
  { id, origin }: { id: string; origin: string },
): Promise<Installation> {
  const { factory, server, config } = kinds[kind]
  const client = await register(
    servers[server],
    `${origin}/callback/${id}`,
    kind === 'oidcSigned' ? { userinfo_signed_response_alg: 'RS256' } : {},
  )
  return {
    connectorId: factory,
    id,
    config: { ...client, ...config(servers[server]) },
    // Connectors of other kinds have a target and a name of their own.
    ...((factory === 'oidc' || factory === 'oauth2') && {
      metadata: { target: id, name: { en: `Upstream ${kind}` } },
    }),
  }
}

const oidc = (responseMode?: string) => ({
  factory: 'oidc',
  server: 'openid' as const,
  config: (issuer: string) => ({
    issuer,
    scope: 'openid profile email phone',
    ...(responseMode && { authRequestOptionalConfig: { response_mode: responseMode } }),
  }),
})

const kinds = {
  oidc: oidc(),
  oidcSigned: oidc(),
  oidcFormPost: oidc('form_post'),
  oidcFragment: oidc('fragment'),
  google: {
    factory: 'google-universal',
    server: 'openid',
    config: (url: string) => ({
      authorizationEndpoint: `${url}/auth`,
      tokenEndpoint: `${url}/token`,
      userInfoEndpoint: `${url}/me`,
    }),
  },
  oauth2: {
    factory: 'oauth2',
    server: 'oauth',
    config: (url: string) => ({
      authorizationEndpoint: `${url}/auth`,
      tokenEndpoint: `${url}/token`,
      userInfoEndpoint: `${url}/user`,
      tokenEndpointResponseType: 'json',
      scope: 'read:user',
      profileMap: { avatar: 'avatar_url', email: 'email', phone: 'phone' },
    }),
  },
  github: {
    factory: 'github-universal',
    server: 'oauth',
    config: (url: string) => ({
      authorizationEndpoint: `${url}/github/authorize`,
      tokenEndpoint: `${url}/github/token`,
      userInfoEndpoint: `${url}/github/user`,
    }),
  },
} satisfies Record<
  UpstreamKind,
  { factory: string; server: keyof Servers; config(url: string): Record<string, unknown> }
>

async function register(server: string, redirectUri: string, metadata: object) {
  const response = await fetch(`${server}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      ...metadata,
    }),
  })
  const client = (await response.json()) as { client_id?: string; client_secret?: string }
  if (!client.client_id) throw new Error(`No client: ${JSON.stringify(client)}`)
  return { clientId: client.client_id, clientSecret: client.client_secret }
}
