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
