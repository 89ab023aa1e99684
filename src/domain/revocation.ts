/** When somebody was signed out everywhere, and what that leaves alive (decision 15). Times of a row are epoch milliseconds. */
export type Revocable = { isSuspended: boolean; revokedAt: number | null }

/**
 * True when nothing this account did at `since` (epoch seconds) may have any effect any more: it is gone, suspended,
 * or was signed out everywhere afterwards.
 */
export function isRevoked(user: Revocable | null | undefined, since: number): boolean {
  if (!user || user.isSuspended) return true
  return user.revokedAt !== null && since <= revocationSecond(user.revokedAt)
}

/**
 * The provider counts in whole seconds: a sign-in in the same second as a revocation before it is dated one second
 * later, so that it survives and everything before the revocation does not.
 */
export function loginSecond(user: Pick<Revocable, 'revokedAt'>, now: number): number {
  const second = Math.floor(now / 1000)
  return user.revokedAt === null ? second : Math.max(second, revocationSecond(user.revokedAt) + 1)
}

/** A second revocation within the second ends what the first let live: it is dated behind that. Epoch milliseconds. */
export function revocationAfter({ revokedAt }: Pick<Revocable, 'revokedAt'>, now: number): number {
  return revokedAt === null ? now : Math.max(now, (revocationSecond(revokedAt) + 1) * 1000)
}

const revocationSecond = (revokedAt: number) => Math.floor(revokedAt / 1000)
