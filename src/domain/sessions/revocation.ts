/** `revokedAt` is when the user was signed out everywhere (spec/accounts#revocation), in epoch milliseconds. */
type Revocable = { isSuspended: boolean; revokedAt: number | null }

/**
 * When a session, grant or token was created, and since when it counts because the last revocation exempted it, in
 * epoch seconds. These are two fields because surviving a revocation is not a sign-in (ADR-0141).
 */
export type ValidityTimes = { madeAt: number; exemptedAt: number | undefined }

/**
 * Checks whether a session, grant or token is no longer valid, because its user was deleted, suspended or signed out
 * everywhere since. Sessions and tokens record the second in which they were created, and `revokedAt` the millisecond.
 * Whatever was created in the second of the revocation counts as older, so that nothing from before survives.
 */
export function isRevoked(
  user: Revocable | null | undefined,
  { madeAt, exemptedAt = madeAt }: ValidityTimes,
): boolean {
  if (!user || user.isSuspended) return true
  return user.revokedAt !== null && Math.max(madeAt, exemptedAt) <= revocationSecond(user.revokedAt)
}

/** A sign-in in the second of a revocation is dated one second later, so that it survives. */
export function loginSecond(user: Pick<Revocable, 'revokedAt'>, now: number): number {
  const second = Math.floor(now / 1000)
  return user.revokedAt === null ? second : Math.max(second, exemptionSecond(user.revokedAt))
}

/** Returns the `exemptedAt` of whatever survives this revocation. A later revocation ends it. */
export const exemptionSecond = (revokedAt: number) => revocationSecond(revokedAt) + 1

/** A second revocation within that second is dated after the first, so that it also ends what the first one spared. */
export function nextRevocationTime({ revokedAt }: Pick<Revocable, 'revokedAt'>, now: number): number {
  return revokedAt === null ? now : Math.max(now, exemptionSecond(revokedAt) * 1000)
}

const revocationSecond = (revokedAt: number) => Math.floor(revokedAt / 1000)
