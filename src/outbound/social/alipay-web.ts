import { z } from 'zod'
import { HOUR } from '../../contract/time.ts'
import { ConnectorFailure } from '../failure.ts'
import { OptionalEndpoint, optionalItem, RequiredText, requiredItem, selectItem } from '../fields.ts'
import { parseJsonResponse, parseShape } from '../provider-answer.ts'
import { withQuery } from '../with-query.ts'
import { importSigningKey, PrivateKey } from './private-key.ts'
import { readAuthorizationCode, type SocialContext, socialConnector } from './social.ts'
import { fetchProfile } from './social-call.ts'

/** The hash functions, by Alipay's names for signature types. */
const hashes = { RSA: 'SHA-1', RSA2: 'SHA-256' } as const
const signTypes = ['RSA2', 'RSA'] as const

const Config = z.object({
  appId: RequiredText,
  privateKey: PrivateKey,
  signType: z.enum(signTypes).default('RSA2'),
  // The charset of requests, which Alipay also uses in its responses.
  charset: z.literal('utf8', 'must be utf8').default('utf8'),
  authorizationEndpoint: OptionalEndpoint,
  gatewayEndpoint: OptionalEndpoint,
})
type Config = z.infer<typeof Config>

/**
 * Signs in with Alipay: https://opendocs.alipay.com/open/284/web. Every call is signed with the application's
 * private key.
 */
export const alipayWeb = socialConnector({
  factoryId: 'alipay-web',
  description: { en: 'Sign in with an Alipay account' },
  config: Config,
  formItems: [
    requiredItem('appId', 'App ID'),
    {
      key: 'privateKey',
      label: 'Private key',
      type: 'MultilineText',
      required: true,
      isSecret: true,
      description: "The key of the application, as PEM or as written by Alipay's key tool",
    },
    selectItem('signType', 'Signature', signTypes),
    {
      key: 'charset',
      label: 'Charset',
      type: 'Select',
      defaultValue: 'utf8',
      selectItems: [{ value: 'utf8', title: 'UTF-8' }],
    },
    optionalItem('authorizationEndpoint', 'Authorization endpoint'),
    optionalItem('gatewayEndpoint', 'Gateway'),
  ],

  authorizationUri({ appId, authorizationEndpoint }, { state, redirectUri }) {
    return {
      uri: withQuery(authorizationEndpoint ?? 'https://openauth.alipay.com/oauth2/publicAppAuthorize.htm', {
        app_id: appId,
        redirect_uri: redirectUri,
        scope: 'auth_user',
        state,
      }),
    }
  },

  async profile(config, callback, context) {
    const code = readAuthorizationCode(callback, 'auth_code')
    const tokenResponse = await callGateway(
      config,
      { method: 'alipay.system.oauth.token', grant_type: 'authorization_code', code },
      context,
    )
    const { access_token: token } = parseShape(tokenResponse.alipay_system_oauth_token_response, Tokens)
    const userResponse = await callGateway(
      config,
      { method: 'alipay.user.info.share', auth_token: token },
      context,
    )
    const user = parseShape(userResponse.alipay_user_info_share_response, User)
    const { user_id: userId, open_id: openId, nick_name: name, avatar } = user
    // For newer applications, Alipay returns a user id that is specific to the application.
    return { id: userId || openId || '', name, avatar }
  },
})

const GatewayResponse = z.record(z.string(), z.unknown())
const Tokens = z.object({ access_token: z.string().min(1) })
const User = z.object({
  user_id: z.string().nullish(),
  open_id: z.string().nullish(),
  nick_name: z.string().nullish(),
  avatar: z.string().nullish(),
})
const Refusal = z.object({
  code: z.string(),
  msg: z.string().nullish(),
  sub_code: z.string().nullish(),
  sub_msg: z.string().nullish(),
})

/** Calls the gateway, which is the only endpoint. The response property with the result is named after the method. */
async function callGateway(
  config: Config,
  parameters: Record<string, string>,
  context: SocialContext,
): Promise<Record<string, unknown>> {
  const signed = await sign(config, {
    ...parameters,
    app_id: config.appId,
    format: 'JSON',
    charset: 'utf-8',
    sign_type: config.signType,
    timestamp: timeInChina(context.now()),
    version: '1.0',
  })
  const url = withQuery(config.gatewayEndpoint ?? 'https://openapi.alipay.com/gateway.do', signed)
  const answer = parseJsonResponse(
    await fetchProfile(url, { method: 'POST', headers: {} }, context),
    GatewayResponse,
  )
  for (const member of Object.values(answer)) throwRefusal(member)
  return answer
}

const SUCCESS = '10000'

/**
 * Throws if the result reports an error, which Alipay also sends with the status 200:
 * https://opendocs.alipay.com/common/02km9f
 */
function throwRefusal(member: unknown): void {
  const refusal = Refusal.safeParse(member).data
  if (!refusal || refusal.code === SUCCESS) return
  const { code, sub_code: reason } = refusal
  const isCodeError = reason?.startsWith('isv.code-')
  const isTokenError = code === '20001' || reason?.startsWith('aop.invalid-auth-token')
  throw new ConnectorFailure(
    isCodeError ? 'social_auth_code_invalid' : isTokenError ? 'social_invalid_access_token' : 'general',
    { detail: refusal },
  )
}

/** Signs all parameters, ordered by name: https://opendocs.alipay.com/common/057k53 */
async function sign(
  { privateKey, signType }: Config,
  parameters: Record<string, string>,
): Promise<Record<string, string>> {
  const key = await importSigningKey(privateKey, { name: 'RSASSA-PKCS1-v1_5', hash: hashes[signType] })
  const text = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')
  const signature = await crypto.subtle.sign(key.algorithm, key, new TextEncoder().encode(text))
  return { ...parameters, sign: new Uint8Array(signature).toBase64() }
}

const CHINA = 8 * HOUR // ms ahead of UTC

/** Formats a time as `2026-01-31 23:59:59`. */
const timeInChina = (now: number) => new Date(now + CHINA).toISOString().slice(0, 19).replace('T', ' ')
