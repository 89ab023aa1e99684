import { ownedSince } from './address-rules.ts'
import { FACTOR_RECENT } from './factor-age.ts'

type Reset = { userId: string; channels: readonly string[] }

/** The name of a password reset says whose password it set, and to which addresses its codes were sent. */
export const resetNameOf = ({ userId, channels }: Reset, id: string): string =>
  [ownerPart(userId), ...channels, id].join(' ')

/** None of another account: the interaction goes on after the reset, with whatever account signs in next. */
export function channelsOfReset(name: string | undefined, userId: string): readonly string[] {
  const [owner, ...rest] = (name ?? '').split(' ')
  return owner === ownerPart(userId) ? rest.slice(0, -1) : []
}

/** Ids may be imported: no character of one separates parts, and none is the name of a channel. */
const ownerPart = (userId: string) => `account:${encodeURIComponent(userId)}`

/**
 * What was added to an account from then on goes with a reset of its password: whoever added it may have known nothing but
 * the old password (ADR-0154). Epoch milliseconds.
 */
export const resetTakesBackSince = ({ at, createdAt }: { at: number; createdAt: number }): number =>
  ownedSince(at - FACTOR_RECENT, { at, createdAt })
