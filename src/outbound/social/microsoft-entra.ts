import { decodeJwt } from 'jose'
import { z } from 'zod'
import { ConnectorFailure } from '../failure.ts'
import { OptionalEndpoint, OptionalText, optionalItem } from '../fields.ts'
import { parseShape } from '../provider-answer.ts'
import { createAuthorizationRequest } from './authorization-request.ts'
import { invalidIdTokenFailure, type VerifiedIdToken, verifyIdToken } from './id-token.ts'
import { createProfileFromClaims, StandardClaims } from './oidc-claims.ts'
import { socialConnector } from './social.ts'
import { clientFields, clientItems } from './social-fields.ts'
import { requestTokens } from './token-request.ts'

/**
 * The accounts that may sign in: all accounts, those of organizations, personal accounts, or those of one Microsoft
 * tenant (spec/connectors#microsoft-entra).
 */
const TENANT = /^(?:common|organizations|consumers|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i
/** The id of the Microsoft tenant that contains all personal accounts. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const CLOUD = 'https://login.microsoftonline.com'

const Config = z.object({
  ...clientFields,
  // Microsoft also accepts a tenant's domain instead of its id, but tokens contain only the id.
  tenantId: OptionalText.pipe(
    z
      .string()
      .regex(TENANT, 'must be common, organizations, consumers or the ID of a tenant')
      .default('common')
      .transform((tenant) => tenant.toLowerCase()),
  ),
  /** Microsoft's government clouds and its cloud in China use different hosts. */
  cloudInstance: OptionalEndpoint.pipe(
    z
      .string()
      .default(CLOUD)
      .transform((cloud) => cloud.replace(/\/+$/, '')),
  ),
  scope: OptionalText,
  authorizationEndpoint: OptionalEndpoint,
  tokenEndpoint: OptionalEndpoint,
  jwksUri: OptionalEndpoint,
})
type Config = z.infer<typeof Config>

/**
 * Signs in with Microsoft's OpenID Connect v2: https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc
 */
export const microsoftEntra = socialConnector({
  factoryId: 'microsoft-entra-universal',
  description: { en: 'Sign in with a personal or organizational Microsoft account' },
  config: Config,
  formItems: [
    ...clientItems(),
    {
      ...optionalItem('tenantId', 'Tenant', 'common'),
      description: 'Who may sign in: common, organizations, consumers, or the ID of one tenant',
    },
    optionalItem('cloudInstance', 'Cloud instance', CLOUD),
    optionalItem('scope', 'Scope', 'openid profile email'),
    optionalItem('authorizationEndpoint', 'Authorization endpoint'),
    optionalItem('tokenEndpoint', 'Token endpoint'),
    optionalItem('jwksUri', 'Key set address'),
  ],

  authorizationUri: (config, request, context) =>
    createAuthorizationRequest(
      {
        endpoint: config.authorizationEndpoint ?? endpointOf(config, 'oauth2/v2.0/authorize'),
        clientId: config.clientId,
        scope: config.scope ?? 'openid profile email',
        hasPkce: true,
        hasNonce: true,
        parameters: { response_mode: 'query' },
      },
      request,
      context,
    ),

  async profile(config, callback, context) {
    const { clientId, clientSecret, tokenEndpoint, jwksUri } = config
    const tokens = await requestTokens(
      { endpoint: tokenEndpoint ?? endpointOf(config, 'oauth2/v2.0/token'), clientId, clientSecret },
      callback,
      context,
    )
    const issuer = issuerOf(config, tokens.id_token)
    const verified = await verifyIdToken(
      tokens,
      {
        issuer,
        jwksUri: jwksUri ?? endpointOf(config, 'discovery/v2.0/keys'),
        clientId,
        nonce: callback.kept.nonce,
      },
      context,
    )
    if (!maySignFor(issuer, verified)) throw invalidIdTokenFailure('the key belongs to another issuer')
    const { xms_edov: isOfDomainOwner, ...claims } = parseShape(verified.claims, EntraClaims)
    // Microsoft verifies the email addresses of the accounts that it hosts. Administrators set the addresses of all
    // other accounts.
    const isPersonal = verified.claims.tid === CONSUMERS
    const isVerified = isTrue(isOfDomainOwner) || (isPersonal && isTrue(claims.email_verified))
    return createProfileFromClaims({ ...claims, email_verified: isVerified })
  },
})

const endpointOf = ({ cloudInstance, tenantId }: Config, path: string) =>
  `${cloudInstance}/${tenantId}/${path}`

/**
 * Returns the expected issuer. Each Microsoft tenant has a different issuer, derived from the tenant id in the token,
 * provided that the configuration allows that tenant.
 */
function issuerOf({ cloudInstance, tenantId }: Config, idToken: string | undefined): string {
  if (idToken === undefined) throw new ConnectorFailure('invalid_response', { detail: 'no id_token' })
  const tid = unverifiedTenant(idToken)
  if (typeof tid !== 'string' || !allowsTenant(tenantId, tid)) throw invalidIdTokenFailure('tenant')
  return `${cloudInstance}/${tid}/v2.0`
}

function unverifiedTenant(idToken: string): unknown {
  try {
    return decodeJwt(idToken).tid
  } catch {
    throw invalidIdTokenFailure('not a JWT')
  }
}

function allowsTenant(tenantId: string, tid: string): boolean {
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

/**
 * Checks whether a key may sign for this issuer. Some keys belong to the Microsoft tenant for personal accounts, and
 * must not sign tokens of an organization.
 */
function maySignFor(issuer: string, { claims: { tid }, key }: VerifiedIdToken): boolean {
  const keyIssuer = key?.issuer
  return typeof keyIssuer !== 'string' || keyIssuer.replace('{tenantid}', String(tid)) === issuer
}

/**
 * The claims of an ID token. Administrators can set any address for accounts of their Microsoft tenant, so an
 * address counts as verified only if the optional claim `xms_edov` confirms it
 * (https://learn.microsoft.com/entra/identity-platform/migrate-off-email-claim-authorization).
 */
const EntraClaims = StandardClaims.extend({
  xms_edov: z.union([z.boolean(), z.string(), z.number()]).nullish(),
})

/** Microsoft sends the claim as a boolean, or as a string or number that stands for one. */
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'
