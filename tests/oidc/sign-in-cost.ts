/**
 * The operations that Cloudflare bills, with settings, keys and the application cached, and with the work after the
 * answers. `sign-in-cost.test.ts` counts them, `docs/operations/scaling.md` calculates with them.
 */
export type SignInCost = {
  requests: number
  /** To D1: those that an answer waits for, and all. */
  awaited: number
  trips: number
  rowsRead: number
  rowsWritten: number
  /** Written by the scheduled run, which deletes expired rows. */
  rowsSwept: number
  /** Audit rows, deleted after `LOG_RETENTION_DAYS`. */
  logRows: number
  /** Written when they are deleted. */
  logRowsSwept: number
  kvReads: number
  kvWrites: number
}

/** Authorization, page, password, submit, resume, code for tokens; the user has signed in to the application before. */
export const SIGN_IN: SignInCost = {
  requests: 6,
  awaited: 7,
  trips: 9,
  rowsRead: 96,
  rowsWritten: 86,
  rowsSwept: 5,
  logRows: 6,
  logRowsSwept: 12,
  kvReads: 1,
  kvWrites: 1,
}

/** The same sign-in by request: what the answer waits for. `round-trips.test.ts` counts it. */
export const SIGN_IN_LEGS = [
  { leg: 'authorization', d1: 0, kv: 0 },
  { leg: 'sign-in page', d1: 0, kv: 0 },
  { leg: 'password', d1: 1, kv: 1 },
  { leg: 'submit', d1: 2, kv: 1 },
  { leg: 'resume', d1: 2, kv: 0 },
  { leg: 'code for tokens', d1: 2, kv: 0 },
] as const

/** One refresh token is exchanged for the next. */
export const REFRESH: SignInCost = {
  requests: 1,
  awaited: 2,
  trips: 2,
  rowsRead: 24,
  rowsWritten: 22,
  rowsSwept: 2,
  logRows: 1,
  logRowsSwept: 2,
  kvReads: 0,
  kvWrites: 0,
}
