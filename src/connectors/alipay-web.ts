import { z } from 'zod'
import { addressWith } from './address-with.ts'
import { bytesToBase64 } from './call.ts'
import { askForProfile } from './code-exchange.ts'
import { ConnectorFailure } from './failure.ts'
import { Endpoint, optional, Required, required } from './fields.ts'
import { PrivateKey, signingKey } from './private-key.ts'
import { authorizationCode, type SocialContext, socialConnector } from './social.ts'
import { readJson } from './social-call.ts'

/** What the names of Alipay's signatures stand for. */
const hashes = { RSA: 'SHA-1', RSA2: 'SHA-256' } as const
const signTypes = ['RSA2', 'RSA'] as const

const Config = z.object({
  appId: Required,
  privateKey: PrivateKey,
  signType: z.enum(signTypes).default('RSA2'),
  // Answers come in the charset that is asked for: nothing is won by asking for an old one.
  charset: z.literal('utf8', 'must be utf8').default('utf8'),
  authorizationEndpoint: Endpoint,
  gatewayEndpoint: Endpoint,
})
type Config = z.infer<typeof Config>

/** https://opendocs.alipay.com/open/284/web. Who we are is shown by a signature over every call. */
export const alipayWeb = socialConnector({
  factoryId: 'alipay-web',
  description: { en: 'Sign in with an Alipay account' },
  config: Config,
  formItems: [
    required('appId', 'App ID'),
    {
      key: 'privateKey',
      label: 'Private key',
      type: 'MultilineText',
      required: true,
      isSecret: true,
      description: 'Of the application, as PEM or as the tool of Alipay writes it',
    },
    {
      key: 'signType',
      label: 'Signature',
      type: 'Select',
      defaultValue: 'RSA2',
      selectItems: signTypes.map((value) => ({ value, title: value })),
    },
    {
      key: 'charset',
      label: 'Charset',
      type: 'Select',
      defaultValue: 'utf8',
      selectItems: [{ value: 'utf8', title: 'UTF-8' }],
    },
    optional('authorizationEndpoint', 'Authorization endpoint'),
    optional('gatewayEndpoint', 'Gateway'),
  ],

  authorizationUri({ appId, authorizationEndpoint }, { state, redirectUri }) {
    return {
      uri: addressWith(authorizationEndpoint ?? 'https://openauth.alipay.com/oauth2/publicAppAuthorize.htm', {
        app_id: appId,
        redirect_uri: redirectUri,
        scope: 'auth_user',
        state,
      }),
    }
  },

  async profile(config, callback, context) {
    const code = authorizationCode(callback, 'auth_code')
    const granted = await call(
      config,
      { method: 'alipay.system.oauth.token', grant_type: 'authorization_code', code },
      context,
    )
    const { access_token: token } = read(granted.alipay_system_oauth_token_response, Tokens)
    const found = await call(config, { method: 'alipay.user.info.share', auth_token: token }, context)
    const user = read(found.alipay_user_info_share_response, User)
    const { user_id: userId, open_id: openId, nick_name: name, avatar } = user
    // Applications of today are told the id that a person has with them alone.
    return { id: userId || openId || '', ...(name && { name }), ...(avatar && { avatar }) }
  },
})

const Answer = z.record(z.string(), z.unknown())
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

/** One address for everything; the answer is under a name made of the method's. */
async function call(
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
  const url = addressWith(config.gatewayEndpoint ?? 'https://openapi.alipay.com/gateway.do', signed)
  const answer = readJson(await askForProfile(url, { method: 'POST', headers: {} }, context), Answer)
  for (const said of Object.values(answer)) refuseCode(said)
  return answer
}

const SUCCESS = '10000'

/** https://opendocs.alipay.com/common/02km9f: with status 200. */
function refuseCode(said: unknown): void {
  const refusal = Refusal.safeParse(said).data
  if (!refusal || refusal.code === SUCCESS) return
  const { code, sub_code: reason } = refusal
  const isOfCode = reason?.startsWith('isv.code-')
  const isOfToken = code === '20001' || reason?.startsWith('aop.invalid-auth-token')
  throw new ConnectorFailure(
    isOfCode ? 'social_auth_code_invalid' : isOfToken ? 'social_invalid_access_token' : 'general',
    { detail: refusal },
  )
}

function read<T>(value: unknown, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ConnectorFailure('invalid_response', { detail: parsed.error.issues.map(({ path }) => path) })
}

/** https://opendocs.alipay.com/common/057k53: over all parameters, in the order of their names. */
async function sign(
  { privateKey, signType }: Config,
  parameters: Record<string, string>,
): Promise<Record<string, string>> {
  const key = await signingKey(privateKey, { name: 'RSASSA-PKCS1-v1_5', hash: hashes[signType] })
  const text = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')
  const signature = await crypto.subtle.sign(key.algorithm, key, new TextEncoder().encode(text))
  return { ...parameters, sign: bytesToBase64(new Uint8Array(signature)) }
}

const CHINA = 8 * 60 * 60_000 // ms ahead of UTC

/** `2026-01-31 23:59:59`. */
const timeInChina = (now: number) => new Date(now + CHINA).toISOString().slice(0, 19).replace('T', ' ')
