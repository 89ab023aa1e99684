import { z } from 'zod'
import { addressWith } from './address-with.ts'
import { askForProfile, exchangeCode, readTokens, readTokensOfForm } from './code-exchange.ts'
import { ConnectorFailure } from './failure.ts'
import { Optional, optional, Required, required, secret, WebEndpoint } from './fields.ts'
import { codeChallenge } from './pkce.ts'
import { authorizationCode, socialConnector } from './social.ts'
import { readJson } from './social-call.ts'

const profileKeys = ['id', 'email', 'phone', 'name', 'avatar'] as const

const responseTypes = ['query-string', 'json'] as const

/** Any server of OAuth 2.0 (RFC 6749) with an address that tells who a token belongs to. */
export const oauth2 = socialConnector({
  factoryId: 'oauth2',
  description: { en: 'Sign in with any OAuth 2.0 server' },
  config: z.object({
    authorizationEndpoint: WebEndpoint,
    tokenEndpoint: WebEndpoint,
    userInfoEndpoint: WebEndpoint,
    clientId: Required,
    clientSecret: Required,
    tokenEndpointResponseType: z.enum(responseTypes).default('query-string'),
    scope: Optional,
    /** Where in the provider's answer our fields are; `a.b` is `b` inside `a`. */
    profileMap: z.partialRecord(z.enum(profileKeys), z.string()).default({}),
    customConfig: z.record(z.string(), z.string()).default({}),
  }),
  formItems: [
    required('authorizationEndpoint', 'Authorization endpoint'),
    required('tokenEndpoint', 'Token endpoint'),
    required('userInfoEndpoint', 'User info endpoint'),
    required('clientId', 'Client ID'),
    secret('clientSecret', 'Client secret'),
    {
      key: 'tokenEndpointResponseType',
      label: 'What the token endpoint answers',
      type: 'Select',
      defaultValue: 'query-string',
      selectItems: responseTypes.map((value) => ({ value, title: value })),
    },
    optional('scope', 'Scope'),
    {
      key: 'profileMap',
      label: 'Profile map',
      type: 'Json',
      placeholder: JSON.stringify({ id: 'id', email: 'email', name: 'name', avatar: 'avatar_url' }),
    },
    { key: 'customConfig', label: 'Parameters of both requests', type: 'Json' },
  ],

  async authorizationUri(config, { state, redirectUri }, context) {
    const codeVerifier = context.random()
    const uri = addressWith(config.authorizationEndpoint, {
      ...config.customConfig,
      response_type: 'code',
      client_id: config.clientId,
      redirect_uri: redirectUri,
      state,
      // A server that does not know PKCE ignores it (RFC 6749 §3.1).
      code_challenge: await codeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      scope: config.scope,
    })
    return { uri, kept: { codeVerifier } }
  },

  async profile(config, callback, context) {
    const answer = await exchangeCode(
      {
        endpoint: config.tokenEndpoint,
        clientId: config.clientId,
        clientSecret: config.clientSecret,
        code: authorizationCode(callback),
        redirectUri: callback.redirectUri,
        codeVerifier: callback.kept.codeVerifier,
        extra: config.customConfig,
      },
      context,
    )
    const isJson = config.tokenEndpointResponseType === 'json'
    const { access_token: token, token_type: type = 'Bearer' } = isJson
      ? readTokens(answer)
      : readTokensOfForm(answer)
    const found = await askForProfile(
      config.userInfoEndpoint,
      { headers: { authorization: `${type} ${token}`, accept: 'application/json' } },
      context,
    )
    return mapped(readJson(found, z.record(z.string(), z.unknown())), config.profileMap)
  },
})

/** Whether an address is verified nobody says here: the operator who maps it vouches for the server. */
function mapped(answer: Record<string, unknown>, map: Partial<Record<(typeof profileKeys)[number], string>>) {
  const at = (key: (typeof profileKeys)[number]): string | undefined => {
    const value = (map[key] ?? key).split('.').reduce<unknown>(into, answer)
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const id = at('id')
  if (!id) throw new ConnectorFailure('invalid_response', { detail: 'the account has no id' })
  // An address counts only where the operator says where it is, and the server does not say, there or on top, that it is unproven.
  const isBelieved = (key: 'email' | 'phone', claim: string) => {
    const path = map[key]
    if (path === undefined) return false
    const beside = path.split('.').slice(0, -1).reduce<unknown>(into, answer)
    return [answer, beside].every((said) => {
      const isVerified = into(said, claim)
      return isVerified !== false && isVerified !== 'false'
    })
  }
  const phone = isBelieved('phone', 'phone_number_verified') ? at('phone')?.replaceAll(/\D/g, '') : undefined
  const email = isBelieved('email', 'email_verified') ? at('email') : undefined
  const [name, avatar] = [at('name'), at('avatar')]
  return {
    id,
    ...(email && { email }),
    ...(phone && { phone }),
    ...(name && { name }),
    ...(avatar && { avatar }),
  }
}

const into = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
