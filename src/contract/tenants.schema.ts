import { z } from 'zod'
import { TENANT_LABEL } from './hosts.ts'

/** POST /tenants: an id of one's own becomes part of a host name. */
export const TenantCreation = z.object({ id: z.string().regex(TENANT_LABEL).optional() })

export const Tenant = z.object({
  id: z.string(),
  createdAt: z.number(),
  /** Where it answers; null as long as no host leads to it. */
  origin: z.string().nullable(),
})

/** The way in: an application that administers the tenant. Its secret is told to its owner once. */
export const CreatedTenant = Tenant.extend({
  application: z.object({ id: z.string(), name: z.string(), secret: z.string() }),
})
