import { z } from 'zod'
import { TENANT_LABEL } from './hosts.ts'

/** POST /tenants: a given id becomes part of a host name. */
export const TenantCreation = z.strictObject({ id: z.string().regex(TENANT_LABEL).optional() })

export const TenantSchema = z.object({
  id: z.string(),
  createdAt: z.number(),
  /** The origin at which it answers; null while no host leads to it. */
  origin: z.string().nullable(),
})

/** DELETE /tenants/{id}: what is left is deleted by another call, or by the schedule. */
export const DeletedTenant = z.object({ id: z.string(), isComplete: z.boolean(), uploadsLeft: z.boolean() })

/**
 * With the application that administers the tenant, whose secret is answered once, and the link by which its first administrator
 * gets in; null while no host leads to the tenant.
 */
export const CreatedTenant = TenantSchema.extend({
  application: z.object({ id: z.string(), name: z.string(), secret: z.string() }),
  invitation: z.object({ url: z.string(), expiresAt: z.number() }).nullable(),
})
