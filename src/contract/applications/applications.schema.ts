import { z } from 'zod'
import { addedPolicies } from '../factors/added-policies.schema.ts'
import { ID_LENGTH } from '../ids.ts'
import { organizationModes } from '../organisations/organizations.ts'
import { BUILT_IN_APP_IDS, BUILT_IN_RESOURCES, MANAGEMENT_CLIENT_ID } from '../product.ts'
import {
  CustomId,
  clearableValue,
  HttpsAddress,
  isStorable,
  storableText,
  WebAddress,
} from '../text.schema.ts'
import { DAY } from '../time.ts'
import {
  applicationTypes,
  clientAssertionAlgorithms,
  idTokenAlgorithms,
  idTokenClaims,
  MAX_OFFLINE_SECONDS,
  MAX_TOKEN_LIFETIME_SECONDS,
} from './applications.ts'
import { ClaimsField, StoredClaims } from './claim-template.schema.ts'
import { registrationAuthMethods } from './client-registration.ts'
import { oidcScopes } from './unregistered-clients.ts'

/** The base64url length of an 8192-bit RSA modulus, the largest that is accepted. */
const KeyPart = z.string().max(1366)

/**
 * A public key. The object is strict, so a private key is rejected for its additional members.
 * `domain/applications/client-keys.ts` checks whether the members are consistent.
 */
const ClientKeySchema = z.strictObject({
  kty: z.enum(['EC', 'OKP', 'RSA']),
  kid: storableText(256).min(1).optional(),
  use: z.literal('sig').optional(),
  alg: z.enum(clientAssertionAlgorithms).optional(),
  key_ops: z.array(z.string().max(16)).max(8).optional(),
  crv: z.string().max(16).optional(),
  x: KeyPart.optional(),
  y: KeyPart.optional(),
  n: KeyPart.optional(),
  e: KeyPart.optional(),
})
const KeySet = z.strictObject({ keys: z.array(ClientKeySchema) })

/** An application as the API returns it. */
export const ApplicationSchema = z
  .object({
    tenantId: z.string(),
    id: z.string(),
    name: z.string(),
    secret: z.string(),
    secretCreatedAt: z.number().nullable(),
    previousSecret: z.object({ createdAt: z.number().nullable(), expiresAt: z.number() }).nullable(),
    description: z.string().nullable(),
    ...addedPolicies,
    type: z.enum(applicationTypes),
    oidcClientMetadata: z.object({
      redirectUris: z.array(z.string()),
      postLogoutRedirectUris: z.array(z.string()),
      logoUri: z.string().optional(),
    }),
    customClientMetadata: z.object({
      corsAllowedOrigins: z.array(z.string()).optional(),
      idTokenTtl: z.number().optional(),
      refreshTokenTtl: z.number().optional(),
      refreshTokenMaxTtl: z.number().optional(),
      tenantId: z.string().optional(),
      isThirdParty: z.boolean().optional(),
      idTokenSignedResponseAlg: z.enum(idTokenAlgorithms).optional(),
      idTokenClaims: z.enum(idTokenClaims).optional(),
      backchannelLogoutUri: z.string().optional(),
      backchannelLogoutSessionRequired: z.boolean().optional(),
      initiateLoginUri: z.string().optional(),
      policyUri: z.string().optional(),
      tosUri: z.string().optional(),
      dpopBoundAccessTokens: z.boolean().optional(),
      fapi2: z.boolean().optional(),
      deviceFlow: z.boolean().optional(),
      organizationMode: z.enum(organizationModes).optional(),
      jwks: KeySet.optional(),
      jwksUri: z.string().optional(),
      dynamicRegistration: z
        .object({ scopes: z.array(z.enum(oidcScopes)), authMethod: z.enum(registrationAuthMethods) })
        .optional(),
      allowedResources: z.array(z.string()).optional(),
      allowedBuiltInResources: z.array(z.enum(BUILT_IN_RESOURCES)).optional(),
      tokenExchangeClients: z.array(z.string()).optional(),
      tokenExchangeResources: z.array(z.string()).optional(),
      tokenExchangeScopes: z.array(z.string()).optional(),
    }),
    createdAt: z.number(),
    claims: StoredClaims,
  })
  .meta({ id: 'Application' })

const Name = storableText(256).min(1)
/**
 * Client secrets consist of the characters allowed by RFC 6749 §A.2. They must be at least as long as a generated
 * secret, so that they cannot be guessed.
 */
const Secret = z
  .string()
  .min(ID_LENGTH)
  .max(64)
  .regex(/^[\x20-\x7e]+$/, 'must consist of printable ASCII characters')

/** The longest time for which the previous secret of an application is accepted, in seconds. */
const MAX_PREVIOUS_SECRET_SECONDS = (30 * DAY) / 1000

/**
 * The body of POST /applications/{id}/secret. The previous secret ends at once unless `previousSecretTtl`, in seconds,
 * says otherwise.
 */
export const SecretReplacement = z
  .strictObject({ previousSecretTtl: z.number().int().min(0).max(MAX_PREVIOUS_SECRET_SECONDS).default(0) })
  .meta({ id: 'SecretReplacement' })
const Description = clearableValue(storableText(4096))

/** `domain/applications/application-rules.ts` checks whether the URLs are allowed for the application type. */
const Addresses = z.array(storableText(2048))

/**
 * Accepts any URL of a site and converts it to its origin, which is what browsers send. A URL with an app's custom
 * scheme has no origin and is stored unchanged.
 */
const Origin = z
  .url()
  .max(2048)
  .refine(isStorable)
  .transform((value) => {
    const { origin } = new URL(value)
    return origin === 'null' ? value : origin
  })

/**
 * ID tokens must not outlive their signing key, and unused refresh tokens must not outlive their grant
 * (spec/provider#token-lifetimes).
 */
const Seconds = z.int().positive().max(MAX_TOKEN_LIFETIME_SECONDS)

const builtInResources = new Set<string>(BUILT_IN_RESOURCES)
const MAX_RESOURCES = 100 // spec/limits#columns

/**
 * Unknown resources are allowed, because a settings file may refer to a resource that is created after the application.
 */
const Indicator = storableText(2048).refine(
  (indicator) => !builtInResources.has(indicator),
  'is a built-in resource, which belongs in `allowedBuiltInResources`',
)

const custom = {
  corsAllowedOrigins: z.array(Origin),
  idTokenTtl: Seconds,
  refreshTokenTtl: Seconds,
  refreshTokenMaxTtl: z.int().positive().max(MAX_OFFLINE_SECONDS),
  tenantId: storableText(21),
  isThirdParty: z.boolean(),
  idTokenSignedResponseAlg: z.enum(idTokenAlgorithms),
  idTokenClaims: z.enum(idTokenClaims),
  backchannelLogoutUri: storableText(2048),
  backchannelLogoutSessionRequired: z.boolean(),
  initiateLoginUri: HttpsAddress, // OIDC Dynamic Client Registration §2: "MUST use the https scheme"
  policyUri: HttpsAddress,
  tosUri: HttpsAddress,
  dpopBoundAccessTokens: z.boolean(),
  fapi2: z.boolean(),
  deviceFlow: z.boolean(),
  organizationMode: z.enum(organizationModes),
  jwks: KeySet,
  jwksUri: storableText(2048),
  allowedResources: z.array(Indicator).max(MAX_RESOURCES),
  allowedBuiltInResources: z.array(z.enum(BUILT_IN_RESOURCES)).max(BUILT_IN_RESOURCES.length),
  tokenExchangeClients: z.array(storableText(ID_LENGTH).min(1)).max(MAX_RESOURCES),
  tokenExchangeResources: z.array(Indicator).max(MAX_RESOURCES),
  tokenExchangeScopes: z.array(storableText(256).min(1)).max(MAX_RESOURCES),
}

const builtInIds = new Set<string>([...BUILT_IN_APP_IDS, MANAGEMENT_CLIENT_ID])

/** The body of POST /applications (spec/provider#client-metadata). */
export const ApplicationCreation = z
  .strictObject({
    id: CustomId.refine((id) => !builtInIds.has(id), 'belongs to a built-in application').optional(),
    name: Name,
    type: z.enum(applicationTypes),
    secret: Secret.optional(),
    description: Description.optional(),
    secondFactorPolicy: addedPolicies.secondFactorPolicy.optional(),
    rememberDays: addedPolicies.rememberDays.optional(),
    oidcClientMetadata: z
      .strictObject({
        redirectUris: Addresses.default([]),
        postLogoutRedirectUris: Addresses.default([]),
        logoUri: WebAddress.optional(),
      })
      .default({ redirectUris: [], postLogoutRedirectUris: [] }),
    customClientMetadata: z.strictObject(custom).partial().default({}),
    claims: ClaimsField.optional(),
  })
  .meta({ id: 'ApplicationCreation' })

/**
 * The body of PATCH /applications/{id}. Columns are replaced, metadata is merged key by key, and null removes an
 * optional key.
 */
export const ApplicationPatchSchema = z
  .strictObject({
    name: Name,
    type: z.enum(applicationTypes),
    secret: Secret,
    description: Description,
    ...addedPolicies,
    oidcClientMetadata: z
      .strictObject({
        redirectUris: Addresses,
        postLogoutRedirectUris: Addresses,
        logoUri: clearableValue(WebAddress),
      })
      .partial(),
    customClientMetadata: z
      .strictObject({
        corsAllowedOrigins: custom.corsAllowedOrigins.nullable(),
        idTokenTtl: custom.idTokenTtl.nullable(),
        refreshTokenTtl: custom.refreshTokenTtl.nullable(),
        refreshTokenMaxTtl: custom.refreshTokenMaxTtl.nullable(),
        tenantId: custom.tenantId.nullable(),
        isThirdParty: custom.isThirdParty.nullable(),
        idTokenSignedResponseAlg: custom.idTokenSignedResponseAlg.nullable(),
        idTokenClaims: custom.idTokenClaims.nullable(),
        backchannelLogoutUri: custom.backchannelLogoutUri.nullable(),
        backchannelLogoutSessionRequired: custom.backchannelLogoutSessionRequired.nullable(),
        initiateLoginUri: custom.initiateLoginUri.nullable(),
        policyUri: custom.policyUri.nullable(),
        tosUri: custom.tosUri.nullable(),
        dpopBoundAccessTokens: custom.dpopBoundAccessTokens.nullable(),
        fapi2: custom.fapi2.nullable(),
        deviceFlow: custom.deviceFlow.nullable(),
        organizationMode: custom.organizationMode.nullable(),
        jwks: custom.jwks.nullable(),
        jwksUri: custom.jwksUri.nullable(),
        allowedResources: custom.allowedResources.nullable(),
        allowedBuiltInResources: custom.allowedBuiltInResources.nullable(),
        tokenExchangeClients: custom.tokenExchangeClients.nullable(),
        tokenExchangeResources: custom.tokenExchangeResources.nullable(),
        tokenExchangeScopes: custom.tokenExchangeScopes.nullable(),
      })
      .partial(),
    /** Grants or revokes the role that permits use of the management API. */
    isAdmin: z.boolean(),
    claims: ClaimsField,
  })
  .partial()
  .meta({ id: 'ApplicationPatch' })
