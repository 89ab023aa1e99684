type Reset = { userId: string; channels: readonly string[] }

/** Returns the name of a password reset. It contains the user id and the channels to which codes were sent. */
export const formatResetName = ({ userId, channels }: Reset, id: string): string =>
  [ownerPart(userId), ...channels, id].join(' ')

/**
 * Returns the channels of a password reset, or an empty list if the reset was for another account. After a reset, the
 * interaction can continue with any account that signs in.
 */
export function parseResetChannels(name: string | undefined, userId: string): readonly string[] {
  const [owner, ...rest] = (name ?? '').split(' ')
  return owner === ownerPart(userId) ? rest.slice(0, -1) : []
}

/**
 * Encodes a user id, because an imported id could contain the separator. The prefix distinguishes ids from channel
 * names.
 */
const ownerPart = (userId: string) => `account:${encodeURIComponent(userId)}`
