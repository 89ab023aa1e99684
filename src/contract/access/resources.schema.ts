import { z } from 'zod'
import { MAX_TOKEN_LIFETIME_SECONDS } from '../applications/applications.ts'
import { ClaimsField, StoredClaims } from '../applications/claim-template.schema.ts'
import { hasSpaceOrControl } from '../blank.ts'
import { ORGANIZATION_URN } from '../organisations/organizations.ts'
import { CustomId, storableText } from '../text.schema.ts'
import { normalizeResource } from './resource-names.ts'

/** A resource as the API returns it. */
export const ResourceSchema = z.object({
  tenantId: z.string(),
  id: z.string(),
  name: z.string(),
  indicator: z.string(),
  accessTokenTtl: z.number(),
  claims: StoredClaims,
})
/** A scope as the API returns it. */
export const ScopeSchema = z
  .object({
    tenantId: z.string(),
    id: z.string(),
    resourceId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    createdAt: z.number(),
  })
  .meta({ id: 'Scope' })
export const ResourceWithScopes = ResourceSchema.extend({ scopes: z.array(ScopeSchema).optional() })

const Name = storableText(256).min(1)

/**
 * An absolute URI without a fragment (RFC 8707 §2). Those of organisations are reserved, because tokens with such an
 * audience are only for their members (spec/organisations#resources).
 */
const Indicator = storableText(2048)
  .refine(
    (value) => URL.canParse(value) && !value.includes('#') && !hasSpaceOrControl(value),
    'is not an absolute URI without a fragment',
  )
  .refine((value) => !value.toLowerCase().startsWith(ORGANIZATION_URN), 'is reserved')
  .transform(normalizeResource)

/**
 * The lifetime of access tokens, in seconds. Retired signing keys remain published only for the maximum lifetime, so a
 * token with a longer lifetime could outlive its key.
 */
const Seconds = z.int().min(1).max(MAX_TOKEN_LIFETIME_SECONDS)

/** The body of POST /resources. */
export const ResourceCreation = z
  .strictObject({
    id: CustomId.optional(),
    name: Name,
    indicator: Indicator,
    accessTokenTtl: Seconds.default(3600), // spec/provider#token-lifetimes
    claims: ClaimsField.optional(),
  })
  .meta({ id: 'ResourceCreation' })

/** The body of PATCH /resources/{id}. */
export const ResourcePatch = z
  .strictObject({ name: Name, indicator: Indicator, accessTokenTtl: Seconds, claims: ClaimsField })
  .partial()
  .meta({ id: 'ResourcePatch' })

/**
 * The body for creating or changing a scope. Both fields are required. A name that contains a space is rejected with a
 * specific error (spec/management#scopes).
 */
export const ScopeBody = z
  .strictObject({ name: Name, description: storableText(4096) })
  .meta({ id: 'ScopeBody' })
