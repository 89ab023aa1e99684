import type { JWK, JWTPayload } from 'jose'
import { z } from 'zod'
import { addressWith } from './address-with.ts'
import { exchangeCode, readTokens } from './code-exchange.ts'
import { ConnectorFailure } from './failure.ts'
import { Endpoint, Optional, optional } from './fields.ts'
import { verifiedClaims } from './id-token.ts'
import { Claims, profileOfClaims } from './oidc-claims.ts'
import { codeChallenge } from './pkce.ts'
import { authorizationCode, socialConnector } from './social.ts'
import { clientFields, clientItems } from './social-fields.ts'

/** Whose accounts of Microsoft may come: of anybody, of any organisation, of nobody but private people, of one tenant. */
const TENANT = /^(?:common|organizations|consumers|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i
/** The tenant all private accounts are in. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const CLOUD = 'https://login.microsoftonline.com'

const Config = z.object({
  ...clientFields,
  // A tenant's domain names it too, but tokens do not say it.
  tenantId: Optional.pipe(
    z
      .string()
      .regex(TENANT, 'must be common, organizations, consumers or the ID of a tenant')
      .default('common')
      .transform((tenant) => tenant.toLowerCase()),
  ),
  /** Other clouds are those of governments and of China. */
  cloudInstance: Endpoint.pipe(
    z
      .string()
      .default(CLOUD)
      .transform((cloud) => cloud.replace(/\/+$/, '')),
  ),
  scope: Optional,
  authorizationEndpoint: Endpoint,
  tokenEndpoint: Endpoint,
  jwksUri: Endpoint,
})
type Config = z.infer<typeof Config>

/** Microsoft's OpenID Connect v2: https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc */
export const microsoftEntra = socialConnector({
  factoryId: 'microsoft-entra-universal',
  description: { en: 'Sign in with a Microsoft account, private or of an organisation' },
  config: Config,
  formItems: [
    ...clientItems,
    {
      ...optional('tenantId', 'Tenant', 'common'),
      description: 'Who may come: common, organizations, consumers, or the ID of one tenant',
    },
    optional('cloudInstance', 'Cloud instance', CLOUD),
    optional('scope', 'Scope', 'openid profile email'),
    optional('authorizationEndpoint', 'Authorization endpoint'),
    optional('tokenEndpoint', 'Token endpoint'),
    optional('jwksUri', 'Address of the keys'),
  ],

  async authorizationUri(config, { state, redirectUri }, context) {
    const [nonce, codeVerifier] = [context.random(), context.random()]
    const uri = addressWith(config.authorizationEndpoint ?? at(config, 'oauth2/v2.0/authorize'), {
      response_type: 'code',
      response_mode: 'query',
      client_id: config.clientId,
      redirect_uri: redirectUri,
      scope: config.scope ?? 'openid profile email',
      state,
      nonce,
      code_challenge: await codeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    })
    return { uri, kept: { nonce, codeVerifier } }
  },

  async profile(config, callback, context) {
    const answer = await exchangeCode(
      {
        endpoint: config.tokenEndpoint ?? at(config, 'oauth2/v2.0/token'),
        clientId: config.clientId,
        clientSecret: config.clientSecret,
        code: authorizationCode(callback),
        redirectUri: callback.redirectUri,
        codeVerifier: callback.kept.codeVerifier,
      },
      context,
    )
    const { id_token: idToken } = readTokens(answer)
    if (!idToken) throw new ConnectorFailure('invalid_response', { detail: 'no id_token' })
    const verified = await verifiedClaims(
      idToken,
      {
        jwksUri: config.jwksUri ?? at(config, 'discovery/v2.0/keys'),
        issuer: (issuer, claims, key) => isOfTenant(config, issuer, claims, key),
        clientId: config.clientId,
        nonce: callback.kept.nonce,
      },
      context,
    )
    const claims = EntraClaims.safeParse(verified)
    if (!claims.success) throw new ConnectorFailure('invalid_response', { detail: 'claims of other types' })
    const { xms_edov: isOfDomainOwner, ...rest } = claims.data
    // Of accounts that Microsoft keeps itself, its word is enough; of others whoever runs them has the word.
    const isVerified = isTrue(isOfDomainOwner) || (verified.tid === CONSUMERS && isTrue(rest.email_verified))
    return profileOfClaims({ ...rest, email_verified: isVerified })
  },
})

const at = ({ cloudInstance, tenantId }: Config, path: string) => `${cloudInstance}/${tenantId}/${path}`

/**
 * Any administrator writes any address into the accounts of their tenant: it counts only where Microsoft says that it
 * knows its owner, by the optional claim `xms_edov`
 * (https://learn.microsoft.com/entra/identity-platform/migrate-off-email-claim-authorization).
 */
const EntraClaims = Claims.extend({ xms_edov: z.union([z.boolean(), z.string(), z.number()]).nullish() })

/** As its tokens have it: a boolean, or one of several spellings of it. */
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'

/** The issuer is the tenant's, the tenant is one that may come, and the key is one that may sign for it. */
function isOfTenant(
  { cloudInstance, tenantId }: Config,
  issuer: string,
  { tid }: JWTPayload,
  key: JWK | undefined,
): boolean {
  if (typeof tid !== 'string') return false
  if (issuer !== `${cloudInstance}/${tid}/v2.0` || !mayCome(tenantId, tid)) return false
  // Some keys are of one tenant alone, that of private accounts: with them nobody signs for an organisation.
  const signsFor = key && 'issuer' in key ? key.issuer : undefined
  return typeof signsFor !== 'string' || signsFor.replace('{tenantid}', tid) === issuer
}

function mayCome(tenantId: string, tid: string): boolean {
  switch (tenantId) {
    case 'common':
      return true
    case 'organizations':
      return tid !== CONSUMERS
    case 'consumers':
      return tid === CONSUMERS
    default:
      return tid === tenantId
  }
}
