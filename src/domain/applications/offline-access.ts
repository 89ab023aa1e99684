import {
  type ApplicationType,
  type CustomClientMetadata,
  MAX_TOKEN_LIFETIME_SECONDS,
} from '../../contract/applications/applications.ts'
import { DAY_SECONDS } from '../../contract/time.ts'

/**
 * The time for which an application keeps its access without its user: as long as it uses it, up to a maximum
 * (spec/provider#grants, ADR-0176). All times are in seconds.
 */

/** The maximum of an application for which its operator has set none. */
export const DEFAULT_MAX_SECONDS = 90 * DAY_SECONDS

/**
 * The maximum of applications in browsers, where a stolen refresh token is most likely, and of clients that no operator
 * has reviewed.
 */
const CAUTIOUS_MAX_SECONDS = MAX_TOKEN_LIFETIME_SECONDS

type OfflineClient = Pick<CustomClientMetadata, 'refreshTokenTtl' | 'refreshTokenMaxTtl'> & {
  /**
   * The party that registered the client: an operator, the client itself, or nobody, because it only publishes a
   * document.
   */
  registeredBy: 'operator' | 'itself' | 'nobody'
  /** True if the client runs in browsers only and cannot keep secrets. */
  isBrowserOnly: boolean
}

export type OfflineLimits = {
  /** The time for which a refresh token is valid without use. */
  idle: number
  /** The time for which refresh tokens can be renewed after the authorization. */
  max: number
}

export function offlineLimits({
  refreshTokenTtl = MAX_TOKEN_LIFETIME_SECONDS,
  refreshTokenMaxTtl,
  registeredBy,
  isBrowserOnly,
}: OfflineClient): OfflineLimits {
  const idle = Math.min(refreshTokenTtl, MAX_TOKEN_LIFETIME_SECONDS)
  if (registeredBy === 'nobody') return { idle, max: CAUTIOUS_MAX_SECONDS }
  const max = refreshTokenMaxTtl ?? (registeredBy === 'itself' ? CAUTIOUS_MAX_SECONDS : DEFAULT_MAX_SECONDS)
  return { idle, max: isBrowserOnly ? Math.min(max, CAUTIOUS_MAX_SECONDS) : max }
}

/**
 * Returns the new expiry of a grant or refresh token that has just been used, or undefined if it would gain less than a
 * day, so that it is written at most once a day. With an idle time of less than two days, it must gain half of that
 * time. An expiry that comes so close to the end is the end itself.
 */
export function extendedExpiry({
  expiresAt,
  idle,
  endsAt,
  now,
}: {
  expiresAt: number
  idle: number
  endsAt: number
  now: number
}): number | undefined {
  const step = Math.min(DAY_SECONDS, idle / 2)
  const extended = now + idle > endsAt - step ? endsAt : now + idle
  return extended - expiresAt >= step ? extended : undefined
}

/** Returns the problems with the two times that an operator can set for an application. */
export function findOfflineProblems(
  type: ApplicationType,
  {
    refreshTokenTtl = 0,
    refreshTokenMaxTtl,
  }: Pick<CustomClientMetadata, 'refreshTokenTtl' | 'refreshTokenMaxTtl'>,
): { path: string[]; message: string }[] {
  if (refreshTokenMaxTtl === undefined) return []
  const at = (message: string) => [{ path: ['customClientMetadata', 'refreshTokenMaxTtl'], message }]
  if (type === 'SPA' && refreshTokenMaxTtl > CAUTIOUS_MAX_SECONDS)
    return at('must be at most 1209600 (14 days) for an application of type SPA')
  return refreshTokenMaxTtl < Math.min(refreshTokenTtl, MAX_TOKEN_LIFETIME_SECONDS)
    ? at('must not be shorter than refreshTokenTtl')
    : []
}
