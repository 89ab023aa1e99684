import { z } from '@hono/zod-openapi'

/** What a user has granted to an application of a third party. Times are epoch milliseconds. */
export const Consent = z.object({
  application: z.object({ id: z.string(), name: z.string() }),
  /** Of OpenID Connect. */
  scopes: z.array(z.string()),
  resources: z.array(
    z.object({ indicator: z.string(), name: z.string().nullable(), scopes: z.array(z.string()) }),
  ),
  grantedAt: z.number(),
  lastUsedAt: z.number().nullable(),
})
