import { z } from 'zod'
import { TENANT_LABEL } from './hosts.ts'

/** The body of POST /tenants. An id in it becomes part of a host name. */
export const TenantCreation = z.strictObject({ id: z.string().regex(TENANT_LABEL).optional() })

export const TenantSchema = z.object({
  id: z.string(),
  createdAt: z.number(),
  /** The origin at which the tenant is served, or null if no host leads to it. */
  origin: z.string().nullable(),
})

/** The response of DELETE /tenants/{id}. Remaining data is deleted by another call or by the schedule. */
export const DeletedTenant = z.object({ id: z.string(), isComplete: z.boolean(), uploadsLeft: z.boolean() })

/**
 * A new tenant with the application that administers it, whose secret is returned only now, and the link for its first
 * administrator, which is null if no host leads to the tenant.
 */
export const CreatedTenant = TenantSchema.extend({
  application: z.object({ id: z.string(), name: z.string(), secret: z.string() }),
  invitation: z.object({ url: z.string(), expiresAt: z.number() }).nullable(),
})
