import { z } from 'zod'
import { addedPolicies } from '../factors/added-policies.schema.ts'
import { CustomId, storableText } from '../text.schema.ts'
import { ResourceSchema, ScopeSchema } from './resources.schema.ts'

const Name = storableText(128).min(1)
const Description = storableText(128)
const Id = storableText(128).min(1)

/**
 * The maximum number of ids per call, which equals five pages of a list in the console. Longer lists need several
 * calls. Our choice.
 */
const MAX_LINKS = 500
const Ids = z.array(Id).max(MAX_LINKS)

/** A role as the API returns it. */
export const RoleSchema = z
  .object({
    tenantId: z.string(),
    id: z.string(),
    name: z.string(),
    description: z.string(),
    ...addedPolicies,
  })
  .meta({ id: 'Role' })

export const ListedRoleSchema = RoleSchema.extend({
  usersCount: z.number(),
  featuredUsers: z.array(
    z.object({ id: z.string(), avatar: z.string().nullable(), name: z.string().nullable() }),
  ),
}).meta({ id: 'ListedRole' })

export const RoleScope = ScopeSchema.extend({
  /** Present only in paginated responses. */
  resource: ResourceSchema.optional(),
}).meta({ id: 'RoleScope' })

/** The body of POST /roles. */
export const RoleCreation = z
  .strictObject({
    id: CustomId.optional(),
    name: Name,
    description: Description,
    secondFactorPolicy: addedPolicies.secondFactorPolicy.optional(),
    rememberDays: addedPolicies.rememberDays.optional(),
    scopeIds: Ids.optional(),
  })
  .meta({ id: 'RoleCreation' })

/** The body of PATCH /roles/{id}. */
export const RolePatch = z
  .strictObject({
    name: Name,
    description: Description,
    ...addedPolicies,
  })
  .partial()
  .meta({ id: 'RolePatch' })

export const RoleIds = z.strictObject({ roleIds: Ids }).meta({ id: 'RoleIds' })
export const UserIds = z.strictObject({ userIds: Ids }).meta({ id: 'UserIds' })
export const ScopeIds = z.strictObject({ scopeIds: Ids }).meta({ id: 'ScopeIds' })
export const ApplicationIds = z.strictObject({ applicationIds: Ids }).meta({ id: 'ApplicationIds' })
