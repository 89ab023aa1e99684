type Reset = { userId: string; channels: readonly string[] }

/** Returns the name of a password reset. It contains the user id and the channels to which codes were sent. */
export const formatResetName = ({ userId, channels }: Reset, id: string): string =>
  [ownerPart(userId), ...channels, id].join(' ')

/**
 * Returns the channels of a password reset. The list is empty if the reset was for another account, because after a
 * reset, the interaction continues with any account that signs in.
 */
export function parseResetChannels(name: string | undefined, userId: string): readonly string[] {
  const [owner, ...rest] = (name ?? '').split(' ')
  return owner === ownerPart(userId) ? rest.slice(0, -1) : []
}

/**
 * Ids may be imported, so they are encoded. They then cannot contain the separator, and the prefix keeps them distinct
 * from the names of channels.
 */
const ownerPart = (userId: string) => `account:${encodeURIComponent(userId)}`
