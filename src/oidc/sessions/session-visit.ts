import { nonEmptyText, type Place, placeOf } from '../../domain/place.ts'

/** From where a session was used last. Its row is written with each authorization, so this costs no write of its own. */
type SessionVisit = Place & { seenAt: number; userAgent: string | null }

export const visitOf = (request: Request, now: number): SessionVisit => ({
  seenAt: now,
  userAgent: nonEmptyText(request.headers.get('user-agent')),
  ...placeOf(request),
})
