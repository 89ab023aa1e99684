import { z } from 'zod'
import { ScopeSchema } from '../access/resources.schema.ts'
import { CustomId, clearableValue, singleLineText, storableText } from '../text.schema.ts'
import { organizationPermissions } from './organizations.ts'

/** The template of roles and scopes that all organisations of a tenant share (spec/organisations#template). */

const Description = clearableValue(storableText(256))
const Permissions = z
  .array(z.enum(organizationPermissions))
  .max(organizationPermissions.length)
  .overwrite((permissions) => [...new Set(permissions)])

/** A role of organisations as the API returns it. */
export const OrganizationRoleSchema = z
  .object({
    tenantId: z.string(),
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    permissions: z.array(z.enum(organizationPermissions)),
  })
  .meta({ id: 'OrganizationRole' })

/** The body of POST /organization-roles. */
export const OrganizationRoleCreation = z
  .strictObject({
    id: CustomId.optional(),
    name: singleLineText(128),
    description: Description.optional(),
    permissions: Permissions.optional(),
  })
  .meta({ id: 'OrganizationRoleCreation' })

/** The body of PATCH /organization-roles/{id}. */
export const OrganizationRolePatch = z
  .strictObject({ name: singleLineText(128), description: Description, permissions: Permissions })
  .partial()
  .meta({ id: 'OrganizationRolePatch' })

/** The characters of a scope (RFC 6749 §3.3). */
const ScopeName = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]*$/, 'contains characters that a scope cannot have')

export const OrganizationScopeSchema = z
  .object({ tenantId: z.string(), id: z.string(), name: z.string(), description: z.string().nullable() })
  .meta({ id: 'OrganizationScope' })

/** The body of POST /organization-scopes. */
export const OrganizationScopeCreation = z
  .strictObject({ id: CustomId.optional(), name: ScopeName, description: Description.optional() })
  .meta({ id: 'OrganizationScopeCreation' })

/** The body of PATCH /organization-scopes/{id}. */
export const OrganizationScopePatch = z
  .strictObject({ name: ScopeName, description: Description })
  .partial()
  .meta({ id: 'OrganizationScopePatch' })

/** A scope of an API resource that a role includes, with its resource. */
export const OrganizationResourceScope = ScopeSchema.extend({
  resourceName: z.string(),
  indicator: z.string(),
}).meta({ id: 'OrganizationResourceScope' })
