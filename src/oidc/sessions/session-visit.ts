import { getPlace, nonEmptyText, type Place } from '../../domain/place.ts'

/**
 * The place and time at which a session was last used. They are stored in the session's row, which every authorization
 * writes.
 */
type SessionVisit = Place & { seenAt: number; userAgent: string | null }

export const toSessionVisit = (request: Request, now: number): SessionVisit => ({
  seenAt: now,
  userAgent: nonEmptyText(request.headers.get('user-agent')),
  ...getPlace(request),
})
