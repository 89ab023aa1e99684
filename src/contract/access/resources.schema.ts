import { z } from 'zod'
import { MAX_TOKEN_SECONDS } from '../applications/applications.ts'
import { hasBlank } from '../blank.ts'
import { OwnId, storableText } from '../text.schema.ts'
import { normalResource } from './resource-names.ts'

/** A resource and a scope as they are answered. */
export const ResourceSchema = z.object({
  tenantId: z.string(),
  id: z.string(),
  name: z.string(),
  indicator: z.string(),
  accessTokenTtl: z.number(),
})
export const ScopeSchema = z.object({
  tenantId: z.string(),
  id: z.string(),
  resourceId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: z.number(),
})
export const ResourceWithScopes = ResourceSchema.extend({ scopes: z.array(ScopeSchema).optional() })

const Name = storableText(256).min(1)

/** RFC 8707 §2: an absolute URI without a fragment. */
const Indicator = storableText(2048)
  .refine(
    (value) => URL.canParse(value) && !value.includes('#') && !hasBlank(value),
    'is not an absolute URI without a fragment',
  )
  .transform(normalResource)

/** A retired signing key is published for this long: the signature of an older token could not be verified. */
const Seconds = z.int().min(1).max(MAX_TOKEN_SECONDS)

/** POST /resources. */
export const ResourceCreation = z.strictObject({
  id: OwnId.optional(),
  name: Name,
  indicator: Indicator,
  accessTokenTtl: Seconds.default(3600), // spec/provider#token-lifetimes
})

/** PATCH /resources/{id}. */
export const ResourcePatch = z
  .strictObject({ name: Name, indicator: Indicator, accessTokenTtl: Seconds })
  .partial()

/** POST and PATCH of a scope: both fields are required. A space in the name has a refusal of its own (spec/management#scopes). */
export const ScopeBody = z.strictObject({ name: Name, description: storableText(4096) })
