import { z } from 'zod'
import { builtInLanguages } from '../experience/languages.ts'
import { Email } from '../interactions/identifiers.schema.ts'
import { storableText } from '../text.schema.ts'
import {
  INVITATION_LIFETIMES,
  invitationDeliveries,
  invitationKinds,
  invitationStates,
} from './invitations.ts'

const { hour, day, week } = INVITATION_LIFETIMES

/** The maximum number of roles in an invitation. Our choice: more would not fit on its page. */
const MAX_ROLES = 10

const Name = storableText(128).min(1)
const names = { name: Name, givenName: Name, familyName: Name }

/** An invitation as the API returns it (spec/management#invitations). The link is returned only by the creation. */
export const InvitationSchema = z
  .object({
    id: z.string(),
    kind: z.enum(invitationKinds),
    delivery: z.enum(invitationDeliveries),
    state: z.enum(invitationStates),
    email: z.string().nullable(),
    names: z.object(names).partial(),
    roleIds: z.array(z.string()),
    language: z.string().nullable(),
    /** The administrator or application that invited; null if the tenant was created with this invitation. */
    invitedBy: z.object({ type: z.enum(['administrator', 'application']), id: z.string() }).nullable(),
    createdAt: z.number(),
    sentAt: z.number().nullable(),
    expiresAt: z.number(),
    acceptedAt: z.number().nullable(),
    acceptedBy: z.string().nullable(),
    revokedAt: z.number().nullable(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof InvitationSchema>

/** The response to POST /invitations. `url` is null if the link was sent to the address. */
export const CreatedInvitation = InvitationSchema.and(z.object({ url: z.string().nullable() })).meta({
  id: 'CreatedInvitation',
})
export type CreatedInvitation = z.infer<typeof CreatedInvitation>

/** The body of POST /invitations. */
export const InvitationCreation = z
  .strictObject({
    email: Email,
    roleIds: z.array(storableText(128).min(1)).max(MAX_ROLES).default([]),
    ...z.object(names).partial().shape,
    language: z.enum(builtInLanguages).optional(),
    lifetimeSeconds: z.int().min(hour).max(week).default(day),
    delivery: z.enum(['email', 'link']).default('email'),
  })
  .meta({ id: 'InvitationCreation' })
export type InvitationCreation = z.infer<typeof InvitationCreation>
