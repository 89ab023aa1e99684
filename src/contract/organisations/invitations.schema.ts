import { z } from 'zod'
import { INVITATION_LIFETIMES, invitationStates } from '../access/invitations.ts'
import { builtInLanguages } from '../experience/languages.ts'
import { Email } from '../interactions/identifiers.schema.ts'
import { storableText } from '../text.schema.ts'
import { MAX_ORGANIZATION_ROLES } from './organizations.ts'

const { hour, week } = INVITATION_LIFETIMES

/** The ids of roles, exactly as they are stored: an id with other letters or with spaces is unknown. */
export const OrganizationRoleIds = z.array(storableText(128).min(1)).max(MAX_ORGANIZATION_ROLES)

/** An invitation to an organisation as the API returns it (spec/organisations#invitations). */
export const OrganizationInvitationSchema = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    state: z.enum(invitationStates),
    email: z.string(),
    roleIds: z.array(z.string()),
    language: z.string().nullable(),
    /** The member, administrator or application that invited. */
    invitedBy: z.object({ type: z.enum(['member', 'administrator', 'application']), id: z.string() }),
    createdAt: z.number(),
    sentAt: z.number().nullable(),
    expiresAt: z.number(),
    acceptedAt: z.number().nullable(),
    acceptedBy: z.string().nullable(),
    revokedAt: z.number().nullable(),
  })
  .meta({ id: 'OrganizationInvitation' })
export type OrganizationInvitation = z.infer<typeof OrganizationInvitationSchema>

/** The body of POST /organizations/{id}/invitations. */
export const OrganizationInvitationCreation = z
  .strictObject({
    email: Email,
    roleIds: OrganizationRoleIds.default([]),
    language: z.enum(builtInLanguages).optional(),
    lifetimeSeconds: z.int().min(hour).max(week).default(week),
  })
  .meta({ id: 'OrganizationInvitationCreation' })
export type OrganizationInvitationCreation = z.infer<typeof OrganizationInvitationCreation>
