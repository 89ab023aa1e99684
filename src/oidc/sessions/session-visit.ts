import { getPlace, nonEmptyText, type Place } from '../../domain/place.ts'

/**
 * Where and when a session was last used. This is stored with the session's row, which is written at each
 * authorization.
 */
type SessionVisit = Place & { seenAt: number; userAgent: string | null }

export const toSessionVisit = (request: Request, now: number): SessionVisit => ({
  seenAt: now,
  userAgent: nonEmptyText(request.headers.get('user-agent')),
  ...getPlace(request),
})
