import { z } from 'zod'
import { isRecord } from '../../contract/is-record.ts'
import { OptionalText, optionalItem, requiredItem, selectItem, WebEndpoint } from '../fields.ts'
import { ProviderAccountId, parseJsonResponse, parseShape } from '../provider-answer.ts'
import { createAuthorizationRequest } from './authorization-request.ts'
import { type ProviderProfile, socialConnector } from './social.ts'
import { fetchProfile } from './social-call.ts'
import { clientFields, clientItems } from './social-fields.ts'
import { requestTokens } from './token-request.ts'

const profileKeys = ['id', 'email', 'phone', 'name', 'avatar'] as const

const responseTypes = ['query-string', 'json'] as const

/** Signs in with any OAuth 2.0 server that has a user info endpoint (spec/connectors#oauth2). */
export const oauth2 = socialConnector({
  factoryId: 'oauth2',
  description: { en: 'Sign in with any OAuth 2.0 server' },
  config: z.object({
    authorizationEndpoint: WebEndpoint,
    tokenEndpoint: WebEndpoint,
    userInfoEndpoint: WebEndpoint,
    ...clientFields,
    tokenEndpointResponseType: z.enum(responseTypes).default('query-string'),
    scope: OptionalText,
    /** The path of each profile field in the provider's response. `a.b` means the property `b` of `a`. */
    profileMap: z.partialRecord(z.enum(profileKeys), z.string()).default({}),
    customConfig: z.record(z.string(), z.string()).default({}),
  }),
  formItems: [
    requiredItem('authorizationEndpoint', 'Authorization endpoint'),
    requiredItem('tokenEndpoint', 'Token endpoint'),
    requiredItem('userInfoEndpoint', 'User info endpoint'),
    ...clientItems(),
    selectItem('tokenEndpointResponseType', 'Format of the token response', responseTypes),
    optionalItem('scope', 'Scope'),
    {
      key: 'profileMap',
      label: 'Profile map',
      type: 'Json',
      placeholder: JSON.stringify({ id: 'id', email: 'email', name: 'name', avatar: 'avatar_url' }),
    },
    { key: 'customConfig', label: 'Parameters of both requests', type: 'Json' },
  ],

  authorizationUri: ({ authorizationEndpoint, clientId, scope, customConfig }, request, context) =>
    createAuthorizationRequest(
      // PKCE is always used, because servers that do not support it ignore its parameters (RFC 6749 §3.1).
      { endpoint: authorizationEndpoint, clientId, scope, hasPkce: true, parameters: customConfig },
      request,
      context,
    ),

  async profile(config, callback, context) {
    const tokens = await requestTokens(
      {
        endpoint: config.tokenEndpoint,
        clientId: config.clientId,
        clientSecret: config.clientSecret,
        parameters: config.customConfig,
        format: config.tokenEndpointResponseType === 'json' ? 'json' : 'form',
      },
      callback,
      context,
    )
    const { access_token: token, token_type: type = 'Bearer' } = tokens
    const answer = await fetchProfile(
      config.userInfoEndpoint,
      { headers: { authorization: `${type} ${token}`, accept: 'application/json' } },
      context,
    )
    return mapProfile(parseJsonResponse(answer, z.record(z.string(), z.unknown())), config.profileMap)
  },
})

type ProfileKey = (typeof profileKeys)[number]

/**
 * Reads a profile with the mapping that the operator has configured. The server does not report whether an address is
 * verified; operators who map an address vouch for it.
 */
function mapProfile(
  answer: Record<string, unknown>,
  map: Partial<Record<ProfileKey, string>>,
): ProviderProfile {
  const rawField = (key: ProfileKey) => (map[key] ?? key).split('.').reduce<unknown>(memberOf, answer)
  const readField = (key: ProfileKey): string | undefined => {
    const value = rawField(key)
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const { id } = parseShape({ id: rawField('id') }, z.object({ id: ProviderAccountId }))
  const isTrusted = (key: 'email' | 'phone', claim: string) => {
    const path = map[key]
    if (path === undefined) return false
    const parent = path.split('.').slice(0, -1).reduce<unknown>(memberOf, answer)
    return [answer, parent].every((claims) => {
      const isVerified = memberOf(claims, claim)
      return isVerified !== false && isVerified !== 'false'
    })
  }
  return {
    id,
    email: isTrusted('email', 'email_verified') ? readField('email') : null,
    phone: isTrusted('phone', 'phone_number_verified') ? readField('phone') : null,
    name: readField('name'),
    avatar: readField('avatar'),
  }
}

const memberOf = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
