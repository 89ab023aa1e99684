/**
 * The operations that Cloudflare bills for a sign-in, including the work after the responses. Settings, keys and the
 * application are cached. `sign-in-cost.test.ts` counts them, and `docs/operations/scaling.md` uses them in its
 * calculations.
 */
export type SignInCost = {
  requests: number
  /** The number of round trips to D1 that responses wait for. */
  awaited: number
  /** The total number of round trips to D1. */
  trips: number
  rowsRead: number
  rowsWritten: number
  /** The number of rows written when the scheduled run deletes expired rows. */
  rowsSwept: number
  /** The number of audit rows, which are deleted after `LOG_RETENTION_DAYS`. */
  logRows: number
  /** The number of rows written when the audit rows are deleted. */
  logRowsSwept: number
  kvReads: number
  kvWrites: number
}

/**
 * The cost of a sign-in by a user who has signed in to the application before: authorization, page, password, submit,
 * and the exchange of the code for tokens.
 */
export const SIGN_IN: SignInCost = {
  requests: 5,
  awaited: 5,
  trips: 7,
  rowsRead: 84,
  rowsWritten: 42,
  rowsSwept: 5,
  logRows: 3,
  logRowsSwept: 3,
  kvReads: 1,
  kvWrites: 1,
}

/**
 * The number of D1 round trips and KV operations that each response in the sign-in waits for. `round-trips.test.ts`
 * counts them.
 */
export const SIGN_IN_LEGS = [
  { leg: 'authorization', d1: 0, kv: 0 },
  { leg: 'sign-in page', d1: 0, kv: 0 },
  { leg: 'password', d1: 1, kv: 1 },
  { leg: 'submit', d1: 2, kv: 1 },
  { leg: 'code for tokens', d1: 2, kv: 0 },
] as const

/** The cost of exchanging one refresh token for the next. */
export const REFRESH: SignInCost = {
  requests: 1,
  awaited: 2,
  trips: 2,
  rowsRead: 27,
  rowsWritten: 10,
  rowsSwept: 2,
  logRows: 1,
  logRowsSwept: 1,
  kvReads: 0,
  kvWrites: 0,
}
