import { DAY_SECONDS, HOUR_SECONDS } from '../time.ts'

/** The types and constants of invitations that the database, the management API and the console share. */

/**
 * The account that an invitation leads to: one of an administrator or one of a user of the tenant
 * (spec/management#invitations).
 */
export const invitationKinds = ['administrator', 'user'] as const
export type InvitationKind = (typeof invitationKinds)[number]

/**
 * The way in which the link reaches the person: sent to the address, copied by the inviter, or copied for somebody
 * whose address cannot be verified. Only a link of the type `email` proves that its holder owns the address (ADR-0184).
 */
export const invitationDeliveries = ['email', 'link', 'direct'] as const
export type InvitationDelivery = (typeof invitationDeliveries)[number]

export const invitationStates = ['pending', 'accepted', 'revoked', 'expired'] as const
export type InvitationState = (typeof invitationStates)[number]

/** The lifetimes that the console and `npm run admin` offer, in seconds. */
export const INVITATION_LIFETIMES = {
  hour: HOUR_SECONDS,
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
} as const

/** The names that the account of a new user gets. */
export type InvitedNames = {
  name?: string | undefined
  givenName?: string | undefined
  familyName?: string | undefined
}
