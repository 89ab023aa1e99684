import { knownText, type Place, placeOf } from '../../domain/place.ts'

/** Where a session was last used. Its row is written with each authorization, so this requires no write of its own. */
type SessionVisit = Place & { seenAt: number; userAgent: string | null }

export const visitOf = (request: Request, now: number): SessionVisit => ({
  seenAt: now,
  userAgent: knownText(request.headers.get('user-agent')),
  ...placeOf(request),
})
