import { z } from 'zod'
import { applicationTypes, idTokenAlgorithms, LONGEST_TOKEN } from './applications.ts'
import { DEMO_APP_ID, MANAGEMENT_CLIENT_ID } from './product.ts'
import { clearable, isStorable, OwnId, text, WebAddress } from './text.schema.ts'

/** The row as it is answered. */
export const Application = z.object({
  tenantId: z.string(),
  id: z.string(),
  name: z.string(),
  secret: z.string(),
  description: z.string().nullable(),
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
    tenantId: z.string().optional(),
    isThirdParty: z.boolean().optional(),
    idTokenSignedResponseAlg: z.enum(idTokenAlgorithms).optional(),
    backchannelLogoutUri: z.string().optional(),
    backchannelLogoutSessionRequired: z.boolean().optional(),
    initiateLoginUri: z.string().optional(),
    dpopBoundAccessTokens: z.boolean().optional(),
  }),
  createdAt: z.number(),
})

const Name = text(256).min(1)
/** What an OAuth client secret may consist of (RFC 6749, appendix A.2). */
const Secret = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\x20-\x7e]+$/)
const Description = clearable(text(4096))

/** Which of them fit together with the type is `domain/application-rules.ts`'s to say. */
const Addresses = z.array(text(2048))

/** Written as anything on the site, kept as what a browser sends: the origin. An app's own scheme has none and stays. */
const Origin = z
  .url()
  .max(2048)
  .refine(isStorable)
  .transform((value) => {
    const { origin } = new URL(value)
    return origin === 'null' ? value : origin
  })

/** ID tokens are not to outlive their key (`oidc/keys.ts`), nor refresh tokens the grant they belong to (contract 4.2). */
const Seconds = z.int().positive().max(LONGEST_TOKEN)

const custom = {
  corsAllowedOrigins: z.array(Origin),
  idTokenTtl: Seconds,
  refreshTokenTtl: Seconds,
  tenantId: text(21),
  isThirdParty: z.boolean(),
  idTokenSignedResponseAlg: z.enum(idTokenAlgorithms),
  backchannelLogoutUri: text(2048),
  backchannelLogoutSessionRequired: z.boolean(),
  initiateLoginUri: WebAddress.startsWith('https:'), // OpenID Connect Registration 2: "MUST use the https scheme"
  dpopBoundAccessTokens: z.boolean(),
}

const builtInIds = new Set<string>([DEMO_APP_ID, MANAGEMENT_CLIENT_ID])

/** POST /applications (contract 8.2, decision 29). */
export const ApplicationCreation = z.object({
  id: OwnId.refine((id) => !builtInIds.has(id), 'belongs to a built-in application').optional(),
  name: Name,
  type: z.enum(applicationTypes),
  secret: Secret.optional(),
  description: Description.optional(),
  oidcClientMetadata: z
    .object({
      redirectUris: Addresses.default([]),
      postLogoutRedirectUris: Addresses.default([]),
      logoUri: WebAddress.optional(),
    })
    .default({ redirectUris: [], postLogoutRedirectUris: [] }),
  customClientMetadata: z.object(custom).partial().default({}),
})

/** PATCH /applications/{id}: columns are replaced, the keys of metadata merged. Ours: null takes an optional key away. */
export const ApplicationPatch = z
  .object({
    name: Name,
    type: z.enum(applicationTypes),
    secret: Secret,
    description: Description,
    oidcClientMetadata: z
      .object({ redirectUris: Addresses, postLogoutRedirectUris: Addresses, logoUri: clearable(WebAddress) })
      .partial(),
    customClientMetadata: z
      .object({
        corsAllowedOrigins: custom.corsAllowedOrigins.nullable(),
        idTokenTtl: custom.idTokenTtl.nullable(),
        refreshTokenTtl: custom.refreshTokenTtl.nullable(),
        tenantId: custom.tenantId.nullable(),
        isThirdParty: custom.isThirdParty.nullable(),
        idTokenSignedResponseAlg: custom.idTokenSignedResponseAlg.nullable(),
        backchannelLogoutUri: custom.backchannelLogoutUri.nullable(),
        backchannelLogoutSessionRequired: custom.backchannelLogoutSessionRequired.nullable(),
        initiateLoginUri: custom.initiateLoginUri.nullable(),
        dpopBoundAccessTokens: custom.dpopBoundAccessTokens.nullable(),
      })
      .partial(),
    /** Gives or takes the role that may use the management API. */
    isAdmin: z.boolean(),
  })
  .partial()
