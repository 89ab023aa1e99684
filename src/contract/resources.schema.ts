import { z } from 'zod'
import { LONGEST_TOKEN } from './applications.ts'
import { OwnId, text } from './text.schema.ts'

/** The rows as they are answered. */
export const Resource = z.object({
  tenantId: z.string(),
  id: z.string(),
  name: z.string(),
  indicator: z.string(),
  accessTokenTtl: z.number(),
})
export const Scope = z.object({
  tenantId: z.string(),
  id: z.string(),
  resourceId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: z.number(),
})
export const ResourceWithScopes = Resource.extend({ scopes: z.array(Scope).optional() })

const Name = text(256).min(1)

/** RFC 8707 §2: an absolute URI without a fragment. */
const Indicator = text(2048).refine(
  (value) => URL.canParse(value) && !value.includes('#') && !/[\s\p{Cc}]/u.test(value),
  'is not an absolute URI without a fragment',
)

/** No longer than a retired key is published (`oidc/keys.ts`): a token that lives longer would lose its signature. */
const Seconds = z.int().min(1).max(LONGEST_TOKEN)

/** POST /resources. */
export const ResourceCreation = z.object({
  id: OwnId.optional(),
  name: Name,
  indicator: Indicator,
  accessTokenTtl: Seconds.default(3600), // contract 4.2
})

/** PATCH /resources/{id}. */
export const ResourcePatch = z.object({ name: Name, indicator: Indicator, accessTokenTtl: Seconds }).partial()

/** For a new scope and for a changed one: both are given. Spaces have a refusal of their own (contract 7.2). */
export const ScopeBody = z.object({ name: Name, description: text(4096) })
