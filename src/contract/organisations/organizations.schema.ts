import { z } from 'zod'
import { CustomId, clearableValue, singleLineText, storableText } from '../text.schema.ts'
import { CustomData, UserOrSummary } from '../users/users.schema.ts'
import { MAX_ORGANIZATION_ROLES, membershipSources, PERSONAL } from './organizations.ts'
import {
  OrganizationBrandInput,
  OrganizationBrandSchema,
  OrganizationPolicyInput,
  OrganizationPolicySchema,
} from './policy.schema.ts'

/** Organisations, their members and applications, as the management API has them (spec/organisations#api). */

export const OrganizationName = singleLineText(128)
const Description = clearableValue(storableText(256))
const Id = storableText(128).min(1)

/** An organisation as the API returns it. */
export const OrganizationSchema = z
  .object({
    tenantId: z.string(),
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    customData: z.record(z.string(), z.unknown()),
    policy: OrganizationPolicySchema,
    brand: OrganizationBrandSchema,
    createdAt: z.number(),
    /** The user who created it in the account centre. */
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Organization' })

const fields = {
  name: OrganizationName,
  description: Description,
  customData: CustomData,
  policy: OrganizationPolicyInput,
  brand: OrganizationBrandInput,
}

/** The body of POST /organizations. */
export const OrganizationCreation = z
  .strictObject({
    ...fields,
    id: CustomId.refine((id) => id !== PERSONAL, 'is a reserved id').optional(),
    description: fields.description.optional(),
    customData: fields.customData.optional(),
    policy: fields.policy.optional(),
    brand: fields.brand.optional(),
    ownerId: Id.optional(),
  })
  .meta({ id: 'OrganizationCreation' })

/** The body of PATCH /organizations/{id}. Each field replaces the stored value as a whole. */
export const OrganizationPatch = z.strictObject(fields).partial().meta({ id: 'OrganizationPatch' })

/** The number of members or applications that one call adds. */
const MAX_ADDED = 500
const addedIds = z.array(Id).min(1).max(MAX_ADDED)
const RoleIds = z.array(Id).max(MAX_ORGANIZATION_ROLES)

/** A role of a member, with the sources that gave it. */
const MemberRole = z
  .object({ id: z.string(), name: z.string(), sources: z.array(z.enum(membershipSources)) })
  .meta({ id: 'OrganizationMemberRole' })
export const MemberRoles = z.array(MemberRole)

export const OrganizationMember = z
  .object({
    user: UserOrSummary,
    roles: MemberRoles,
    sources: z.array(z.enum(membershipSources)),
    joinedAt: z.number(),
  })
  .meta({ id: 'OrganizationMember' })

/** The body of POST /organizations/{id}/users. */
export const OrganizationMemberAddition = z
  .strictObject({ userIds: addedIds, roleIds: RoleIds.optional() })
  .meta({ id: 'OrganizationMemberAddition' })

/** The body of the calls that replace the roles of a member or an application. */
export const OrganizationRoleIds = z.strictObject({ roleIds: RoleIds }).meta({ id: 'OrganizationRoleIds' })

/** An organisation of a user, with the user's roles there. */
export const OrganizationOfUser = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    roles: MemberRoles,
    sources: z.array(z.enum(membershipSources)),
    joinedAt: z.number(),
  })
  .meta({ id: 'OrganizationOfUser' })

const ApplicationRole = z
  .object({ id: z.string(), name: z.string() })
  .meta({ id: 'OrganizationApplicationRole' })
export const ApplicationRoles = z.array(ApplicationRole)

export const OrganizationApplication = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    type: z.string(),
    roles: ApplicationRoles,
    joinedAt: z.number(),
  })
  .meta({ id: 'OrganizationApplication' })

/** The body of POST /organizations/{id}/applications. */
export const OrganizationApplicationAddition = z
  .strictObject({ applicationIds: addedIds, roleIds: RoleIds.optional() })
  .meta({ id: 'OrganizationApplicationAddition' })
