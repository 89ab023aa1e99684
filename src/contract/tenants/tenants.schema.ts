import { z } from 'zod'
import { TENANT_LABEL_PATTERN } from './hosts.ts'

/** The body of POST /tenants. The id becomes part of a host name. */
export const TenantCreation = z
  .strictObject({
    id: z
      .string()
      .regex(
        TENANT_LABEL_PATTERN,
        'must consist of 1 to 21 lowercase letters, digits or - and not begin or end with -',
      )
      .optional(),
  })
  .meta({ id: 'TenantCreation' })

export const TenantSchema = z.object({
  id: z.string(),
  createdAt: z.number(),
  /** The origin at which the tenant is served, or null if no host points to it. */
  origin: z.string().nullable(),
})

/** The response of DELETE /tenants/{id}. Another call or scheduled maintenance deletes the remaining data. */
export const DeletedTenant = z.object({ id: z.string(), isComplete: z.boolean(), uploadsLeft: z.boolean() })

/**
 * A new tenant, the application that administers it, and the link for its first administrator. The application's secret
 * is returned only here. The link is null if no host points to the tenant.
 */
export const CreatedTenant = TenantSchema.extend({
  application: z.object({ id: z.string(), name: z.string(), secret: z.string() }),
  invitation: z.object({ url: z.string(), expiresAt: z.number() }).nullable(),
})
