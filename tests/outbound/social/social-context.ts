import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { expect } from 'vitest'
import type { SocialFactoryId } from '../../../src/contract/social/social-connectors.ts'
import { socialConnectors } from '../../../src/outbound/index.ts'
import type { SocialCallback, SocialContext } from '../../../src/outbound/social/social.ts'
import { SHORT_TIMEOUT } from '../connector-context.ts'
import { stubClient } from './social-stubs.ts'

const { url, keys } = env.TEST_PROVIDER_STUBS.social

/** A context with the real network and clock. */
export const socialContext: SocialContext = {
  fetch: (address, init) => fetch(address, init),
  now: Date.now,
  timeout: 10_000,
  allowPrivateTargets: true,
  random: () => base64url.encode(crypto.getRandomValues(new Uint8Array(32))),
}

const CALLBACK = 'https://id.example.com/callback/c1'

const registered = { clientId: stubClient.id, clientSecret: stubClient.secret }
const app = { appId: stubClient.id, appSecret: stubClient.secret }

/** Returns the URL of a provider for a single test, so that tests share no cached keys or metadata. */
export const addressOf = (factoryId: SocialFactoryId, behaviour: string) =>
  `${url}/${crypto.randomUUID()}/${encodeURIComponent(behaviour)}/${factoryId}`

const endpoints = (base: string) => ({
  authorizationEndpoint: `${base}/authorize`,
  tokenEndpoint: `${base}/token`,
  userInfoEndpoint: `${base}/userinfo`,
})

/** Returns a configuration as an operator would enter it, with the endpoints of the stub. */
export function configOf(factoryId: SocialFactoryId, base: string): Record<string, unknown> {
  switch (factoryId) {
    case 'oidc':
      return { ...registered, issuer: base }
    case 'oauth2':
      return {
        ...registered,
        ...endpoints(base),
        scope: 'profile',
        customConfig: { tenant: 'blue' },
        profileMap: { id: 'user.key', email: 'mail', phone: 'tel', name: 'login', avatar: 'picture' },
      }
    case 'apple-universal':
      return {
        clientId: stubClient.id,
        teamId: stubClient.teamId,
        keyId: stubClient.keyId,
        privateKey: keys.apple,
        issuer: base,
        authorizationEndpoint: `${base}/authorize`,
        tokenEndpoint: `${base}/token`,
        jwksUri: `${base}/keys`,
      }
    case 'microsoft-entra-universal':
      return { ...registered, cloudInstance: base }
    case 'alipay-web':
      return {
        appId: stubClient.id,
        privateKey: keys.alipay,
        authorizationEndpoint: `${base}/authorize`,
        gatewayEndpoint: `${base}/gateway`,
      }
    case 'feishu-web':
    case 'wechat-web':
      return { ...app, ...endpoints(base) }
    default:
      return { ...registered, ...endpoints(base) }
  }
}

/** Signs in at a stub provider, from pressing the button to the provider's response. Returns the profile. */
export async function signInWith(
  factoryId: SocialFactoryId,
  behaviour: string,
  { config = {}, context: baseContext = socialContext }: { config?: object; context?: SocialContext } = {},
) {
  const context = behaviour.endsWith('-slow') ? { ...baseContext, timeout: SHORT_TIMEOUT } : baseContext
  const connector = socialConnectors[factoryId]
  const fullConfig = { ...configOf(factoryId, addressOf(factoryId, behaviour)), ...config }
  const state = 'uid.state'
  const { uri, kept: sessionValues = {} } = await connector.authorizationUri(
    fullConfig,
    { state, redirectUri: CALLBACK },
    context,
  )
  const callback: SocialCallback = {
    data: await followProvider(uri, state),
    redirectUri: CALLBACK,
    kept: sessionValues,
  }
  return connector.profile(fullConfig, callback, context)
}

/** Follows the authorization request. Returns the parameters of the redirect back to us. */
async function followProvider(uri: string, state: string): Promise<Record<string, string>> {
  const response = await fetch(uri, { redirect: 'manual' })
  const text = await response.text()
  const location = response.headers.get('location')
  if (!location && response.status !== 200) throw new Error(`The provider rejected the request: ${text}`)
  const inputs = text.matchAll(/<input name="(\w+)" value='([^']*)'>/g)
  const query = location
    ? new URL(location).searchParams
    : new URLSearchParams([...inputs].map(([, name = '', value = '']) => [name, value]))
  const { state: returned, ...data } = Object.fromEntries(query)
  expect(returned).toBe(state)
  return data
}
