import { getPlace, nonEmptyText, type Place } from '../../domain/place.ts'

/**
 * The place where a session was last used. It is stored with the session's row, which is written with each
 * authorization.
 */
type SessionVisit = Place & { seenAt: number; userAgent: string | null }

export const visitOf = (request: Request, now: number): SessionVisit => ({
  seenAt: now,
  userAgent: nonEmptyText(request.headers.get('user-agent')),
  ...getPlace(request),
})
