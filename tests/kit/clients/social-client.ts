import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { ProviderAccount } from '../../journeys/social/upstream-accounts.ts'
import { registerConnector, type UpstreamKind } from '../../journeys/social/upstream-connectors.ts'
import { answerAt, type ReturnRequest } from '../../journeys/social/upstream-sign-in.ts'
import type { TestApp } from '../test-app.ts'
import { freshName, newCookieClient, ORIGIN } from './cookie-client.ts'
import { beginInteraction, type InteractionClient } from './interaction-client.ts'
import { newOperator, type Operator } from './management-client.ts'

/**
 * Installs a connector for each kind of upstream server through the management API, and enables the
 * connectors on the sign-in pages. The kinds serve as connector ids.
 */
export async function installUpstream(
  app: TestApp,
  kinds: readonly UpstreamKind[],
  more: { syncProfile?: boolean } = {},
): Promise<void> {
  const operator = await newOperator(app)
  for (const kind of kinds) {
    const installation = await registerConnector(env.TEST_UPSTREAM, kind, { id: kind, origin: ORIGIN })
    const installed = await operator.send('POST', '/connectors', { ...installation, ...more })
    expect(installed.status).toBe(200)
    const { target } = (await installed.json()) as { target: string }
    await offerTarget(operator, target)
  }
}

/** Adds a button for a target to the sign-in pages. */
export async function offerTarget(operator: Operator, target: string): Promise<void> {
  const { socialSignInConnectorTargets: targets } = (await (await operator.get('/sign-in-exp')).json()) as {
    socialSignInConnectorTargets: string[]
  }
  const socialSignInConnectorTargets = [...new Set([...targets, target])]
  const offered = await operator.send('PATCH', '/sign-in-exp', { socialSignInConnectorTargets })
  expect(offered.status).toBe(200)
}

/** Creates a user account at the upstream servers. */
export async function newProviderAccount(
  properties: Partial<ProviderAccount> = {},
): Promise<ProviderAccount> {
  const providerAccount = { id: freshName(), name: 'Ann Lovelace', ...properties }
  await fetch(`${env.TEST_UPSTREAM.openid}/accounts`, {
    method: 'POST',
    body: JSON.stringify(providerAccount),
  })
  return providerAccount
}

/** A client whose user signs in with an account at a social provider. */
export type SocialClient = InteractionClient & {
  /** Requests the provider's authorization URL. */
  ask(connectorId: string, state?: string): Promise<Response>
  /**
   * Signs in at the provider, or denies access if the account is null, and follows the redirect back to the
   * page. Returns the data that the page has to submit.
   */
  signInAtProvider(
    connectorId: string,
    providerAccount: Pick<ProviderAccount, 'id'> | null,
  ): Promise<Record<string, string>>
  /** Submits the provider's response. */
  show(connectorId: string, connectorData: Record<string, unknown>): Promise<Response>
  /** Signs in at the provider and submits its response. */
  proveBy(connectorId: string, providerAccount: Pick<ProviderAccount, 'id'> | null): Promise<Response>
}

export async function beginSocialInteraction(
  app: TestApp,
  client = newCookieClient(app),
  parameters: Record<string, string> = {},
): Promise<SocialClient> {
  const flow = await beginInteraction(app, client, parameters)
  const stateOf = () => `${flow.uid}.${Math.random().toString(36).slice(2).padEnd(11, 'x')}`

  const ask: SocialClient['ask'] = (connectorId, state = stateOf()) =>
    flow.call('POST', '/verification/social-authorization-uri', {
      connectorId,
      state,
      redirectUri: `${ORIGIN}/callback/${connectorId}`,
    })
  const signInAtProvider: SocialClient['signInAtProvider'] = async (connectorId, providerAccount) => {
    const response = await ask(connectorId)
    expect(response.status).toBe(200)
    const { redirectTo } = (await response.json()) as { redirectTo: string }
    const page = await comeBack(flow.client, await answerAt(redirectTo, providerAccount))
    expect(page.pathname).toBe(`/sign-in/social/${connectorId}`)
    const { interaction, ...data } = Object.fromEntries(page.searchParams)
    expect(interaction).toBe(flow.uid)
    return data
  }
  const show: SocialClient['show'] = (connectorId, connectorData) =>
    flow.call('PATCH', '/identifiers', { connectorId, connectorData })

  return {
    ...flow,
    ask,
    signInAtProvider,
    show,
    proveBy: async (connectorId, providerAccount) =>
      show(connectorId, await signInAtProvider(connectorId, providerAccount)),
  }
}

/** Follows the redirects through /callback to the page, as a browser does. */
export async function comeBack(
  { get, post }: InteractionClient['client'],
  { url, form }: ReturnRequest,
): Promise<URL> {
  const crossSite = { origin: url.origin, 'sec-fetch-site': 'cross-site' }
  let response = form ? await post(url.pathname, form, crossSite) : await get(url.pathname + url.search)
  if (url.hash) {
    // Servers do not receive fragments, so the page at this URL sends the fragment to the server as a query.
    expect(response.status).toBe(303)
    response = await get(`${url.pathname}?${url.hash.slice(1)}`)
  }
  for (;;) {
    expect(response.status).toBe(303)
    const next = new URL(response.headers.get('location') ?? '', ORIGIN)
    if (!next.pathname.startsWith('/callback/')) return next
    response = await get(next.pathname + next.search)
  }
}

/** The columns of an account that a social sign-in may change. */
export type StoredUser = {
  id: string
  primary_email: string | null
  primary_phone: string | null
  name: string | null
  avatar: string | null
  identities: Record<string, { userId: string; details: unknown }>
  last_sign_in_at: number | null
}

export async function addUser(
  app: TestApp,
  { email, phone, identity }: { email?: string; phone?: string; identity?: [target: string, id: string] },
): Promise<string> {
  const id = crypto.randomUUID().slice(-12)
  const identities = identity ? { [identity[0]]: { userId: identity[1], details: { id: identity[1] } } } : {}
  await app.env.DB.prepare(
    `insert into users (tenant_id, id, primary_email, primary_phone, identities, created_at)
     values ('default', ?, ?, ?, ?, 0)`,
  )
    .bind(id, email ?? null, phone ?? null, JSON.stringify(identities))
    .run()
  return id
}

const COLUMNS = 'id, primary_email, primary_phone, name, avatar, identities, last_sign_in_at'

export const userById = (app: TestApp, id: string) => oneUser(app, 'id = ?1', [id])
/** Returns the user who has this identity. */
export const userByIdentity = (app: TestApp, target: string, id: string) =>
  oneUser(app, "json_extract(identities, '$.' || ?1 || '.userId') = ?2", [target, id])

async function oneUser(app: TestApp, condition: string, values: string[]): Promise<StoredUser | null> {
  const { results } = await app.env.DB.prepare(`select ${COLUMNS} from users where ${condition}`)
    .bind(...values)
    .all<Omit<StoredUser, 'identities'> & { identities: string }>()
  expect(results.length).toBeLessThan(2)
  const [row] = results
  return row ? { ...row, identities: JSON.parse(row.identities) } : null
}
