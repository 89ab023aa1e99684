/**
 * The state of a user that can invalidate sessions. `revokedAt` is when the user was signed out everywhere, in epoch
 * milliseconds (spec/accounts#revocation).
 */
type Revocable = { isSuspended: boolean; revokedAt: number | null }

/**
 * The times of a session, grant or token, in epoch seconds. `madeAt` is when it was created. `exemptedAt` is set if it
 * survived the last revocation. The two are separate, because surviving a revocation is not a sign-in (ADR-0141).
 */
export type ValidityTimes = { madeAt: number; exemptedAt: number | undefined }

/**
 * Checks whether a session, grant or token is no longer valid, because its user has since been deleted, suspended or
 * signed out everywhere. Creation times are in whole seconds, but `revokedAt` is in milliseconds. Anything created in
 * the same second as the revocation therefore counts as older, so that nothing from before the revocation survives.
 */
export function isRevoked(
  user: Revocable | null | undefined,
  { madeAt, exemptedAt = madeAt }: ValidityTimes,
): boolean {
  if (!user || user.isSuspended) return true
  return user.revokedAt !== null && Math.max(madeAt, exemptedAt) <= revocationSecond(user.revokedAt)
}

/**
 * Returns the time of a sign-in in epoch seconds. A sign-in in the same second as a revocation is dated one second
 * later, so that it remains valid.
 */
export function loginTimeSeconds(user: Pick<Revocable, 'revokedAt'>, now: number): number {
  const second = Math.floor(now / 1000)
  return user.revokedAt === null ? second : Math.max(second, exemptionTimeSeconds(user.revokedAt))
}

/**
 * Returns the `exemptedAt` of everything that survives this revocation, in epoch seconds. A later revocation
 * invalidates it.
 */
export const exemptionTimeSeconds = (revokedAt: number) => revocationSecond(revokedAt) + 1

/**
 * Returns the time of the next revocation, in epoch milliseconds. If the previous revocation was in the same second,
 * the next one is dated later. The next revocation thus also invalidates everything that survived the previous one.
 */
export function nextRevocationTime({ revokedAt }: Pick<Revocable, 'revokedAt'>, now: number): number {
  return revokedAt === null ? now : Math.max(now, exemptionTimeSeconds(revokedAt) * 1000)
}

const revocationSecond = (revokedAt: number) => Math.floor(revokedAt / 1000)
