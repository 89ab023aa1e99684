import { z } from 'zod'

/** What a user has granted to an application of a third party. Times are epoch milliseconds. */
export const Consent = z.object({
  application: z.object({ id: z.string(), name: z.string() }),
  /** Of a client that is not registered, as the user saw it: its id is its address (spec/provider#client-documents). */
  unregistered: z.object({ host: z.string(), logo: z.string().nullable() }).nullable(),
  /** Of OpenID Connect. */
  scopes: z.array(z.string()),
  resources: z.array(
    z.object({ indicator: z.string(), name: z.string().nullable(), scopes: z.array(z.string()) }),
  ),
  grantedAt: z.number(),
  lastUsedAt: z.number().nullable(),
})
