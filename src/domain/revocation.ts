/** `revokedAt`: when the user was signed out everywhere (spec/accounts#revocation), in epoch milliseconds. */
export type Revocable = { isSuspended: boolean; revokedAt: number | null }

/**
 * Whether a session, grant or token of the second `since` has no effect any more, because its user is deleted, suspended
 * or was signed out everywhere afterwards. Sessions and tokens know the second in which they were made, `revokedAt` the
 * millisecond: what was made in the second of the revocation counts as older, so nothing from before survives.
 */
export function isRevoked(user: Revocable | null | undefined, since: number): boolean {
  if (!user || user.isSuspended) return true
  return user.revokedAt !== null && since <= revocationSecond(user.revokedAt)
}

/** A sign-in in the second of a revocation is dated one second later, so that it survives. */
export function loginSecond(user: Pick<Revocable, 'revokedAt'>, now: number): number {
  const second = Math.floor(now / 1000)
  return user.revokedAt === null ? second : Math.max(second, revocationSecond(user.revokedAt) + 1)
}

/** A second revocation within that second is dated after the first, so that it also ends what the first let live. */
export function revocationAfter({ revokedAt }: Pick<Revocable, 'revokedAt'>, now: number): number {
  return revokedAt === null ? now : Math.max(now, (revocationSecond(revokedAt) + 1) * 1000)
}

const revocationSecond = (revokedAt: number) => Math.floor(revokedAt / 1000)
