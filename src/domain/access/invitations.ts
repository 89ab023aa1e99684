import type { InvitationDelivery, InvitationState } from '../../contract/access/invitations.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { plainRoleName } from './administration.ts'

type LinkFacts = {
  state: InvitationState
  /** True if the inviter still has the authority, and all roles still exist. */
  isVouchedFor: boolean
}

/** Returns why an invitation cannot be accepted, or null if it can. Only somebody with its link learns the reason. */
export function invitationProblem({ state, isVouchedFor }: LinkFacts): ErrorCode | null {
  switch (state) {
    case 'accepted':
      return 'user.invitation_used'
    case 'revoked':
      return 'user.invitation_revoked'
    case 'expired':
      return 'user.invitation_expired'
    case 'pending':
      return isVouchedFor ? null : 'user.invitation_withdrawn'
  }
}

/**
 * The proof that a link gives of the address of its invitation (ADR-0184): that its holder owns the address, because it
 * was sent there; nothing yet, so that a link has to be sent; or nothing at all, because no message can be sent.
 */
export type AddressProof = 'proven' | 'missing' | 'impossible'

export function addressProofOf({
  delivery,
  wasSentLink,
}: {
  delivery: InvitationDelivery
  /** True if this link was sent to the address and shown to nobody else. */
  wasSentLink: boolean
}): AddressProof {
  if (wasSentLink) return 'proven'
  return delivery === 'direct' ? 'impossible' : 'missing'
}

/** Returns the names of roles as the page shows them. */
export const invitedRoleNames = (names: readonly string[]): string[] => names.map(plainRoleName).toSorted()
