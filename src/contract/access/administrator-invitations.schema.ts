import { z } from 'zod'
import { Email } from '../interactions/identifiers.schema.ts'
import { ADMIN_ROLE } from '../product.ts'
import { storableText } from '../text.schema.ts'

/**
 * An invitation link, with which one person can become an administrator (spec/management#administrator-invitations).
 * The API returns the link only once, when the invitation is created.
 */
export const AdministratorInvitation = z.object({
  url: z.string(),
  roleId: z.string(),
  email: z.string().nullable(),
  expiresAt: z.number(),
})
export type AdministratorInvitation = z.infer<typeof AdministratorInvitation>

/** The body of POST /administrator-invitations. */
export const AdministratorInvitationCreation = z
  .strictObject({
    email: Email.optional(),
    roleId: storableText(128).default(ADMIN_ROLE.id),
  })
  .meta({ id: 'AdministratorInvitationCreation' })
