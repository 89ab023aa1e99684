import { z } from 'zod'

/** The access that a user has granted to a third-party application. Times are in epoch milliseconds. */
export const Consent = z.object({
  application: z.object({ id: z.string(), name: z.string() }),
  /**
   * Set for an unregistered client, whose id is its URL. Contains the details that were shown to the user
   * (spec/provider#client-documents).
   */
  unregistered: z.object({ host: z.string(), logo: z.string().nullable() }).nullable(),
  /** The granted OpenID Connect scopes. */
  scopes: z.array(z.string()),
  /** The claims that were granted by themselves, without their scopes, and those of templates. */
  claims: z.array(z.string()),
  resources: z.array(
    z.object({ indicator: z.string(), name: z.string().nullable(), scopes: z.array(z.string()) }),
  ),
  grantedAt: z.number(),
  lastUsedAt: z.number().nullable(),
})
