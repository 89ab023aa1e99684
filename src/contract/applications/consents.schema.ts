import { z } from 'zod'

/** What a user has granted to a third-party application. Times are in epoch milliseconds. */
export const Consent = z.object({
  application: z.object({ id: z.string(), name: z.string() }),
  /**
   * Set for an unregistered client, whose id is its address, with the details that the user saw
   * (spec/provider#client-documents).
   */
  unregistered: z.object({ host: z.string(), logo: z.string().nullable() }).nullable(),
  /** Scopes of OpenID Connect. */
  scopes: z.array(z.string()),
  resources: z.array(
    z.object({ indicator: z.string(), name: z.string().nullable(), scopes: z.array(z.string()) }),
  ),
  grantedAt: z.number(),
  lastUsedAt: z.number().nullable(),
})
