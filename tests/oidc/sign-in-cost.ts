/**
 * What Cloudflare charges for, counted: settings, keys and the application known, everything behind the answers included.
 * `sign-in-cost.test.ts` counts, `docs/scaling.md` calculates with it.
 */
export type Cost = {
  requests: number
  /** To D1: those an answer waits for, and all. */
  awaited: number
  trips: number
  rowsRead: number
  rowsWritten: number
  /** Written by the schedule, which deletes what has expired. */
  rowsSwept: number
  /** Audit rows: they stay, or go after `LOG_RETENTION_DAYS`. */
  logRows: number
  /** Written when they go. */
  logRowsSwept: number
  kvReads: number
  kvWrites: number
}

/** Authorization, page, password, submit, resume, code for tokens; somebody whom the application knows. */
export const SIGN_IN: Cost = {
  requests: 6,
  awaited: 9,
  trips: 11,
  rowsRead: 65,
  rowsWritten: 73,
  rowsSwept: 4,
  logRows: 6,
  logRowsSwept: 12,
  kvReads: 1,
  kvWrites: 1,
}

/** One refresh token for the next. */
export const REFRESH: Cost = {
  requests: 1,
  awaited: 3,
  trips: 3,
  rowsRead: 16,
  rowsWritten: 22,
  rowsSwept: 2,
  logRows: 1,
  logRowsSwept: 2,
  kvReads: 0,
  kvWrites: 0,
}
