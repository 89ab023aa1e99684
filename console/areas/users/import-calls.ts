import { SECOND } from '../../../src/contract/time.ts'
import type { ImportResult } from '../../../src/contract/users/user-import.schema.ts'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { getSecondsUntilExpiry, readAuthTime } from '../../session/session.ts'

/**
 * The statuses of a rejected request body. The call is then split until the rejected user is found, as in the command.
 */
const REFUSED_BODY = new Set([400, 413, 422])
/**
 * The statuses after which a call is retried: no response, a rate limit or a failing store. Repeating the call is
 * safe.
 */
const TEMPORARY_FAILURES = new Set([0, 429, 503])
const MAX_TRIES = 5

type Users = readonly Record<string, unknown>[]

export async function sendUsers(users: Users, withAdministrators: boolean): Promise<ImportResult[]> {
  const body = { users, withAdministrators }
  for (let tries = 1; ; tries++) {
    try {
      return (await call<{ results: ImportResult[] }>('/users/import', { method: 'POST', body })).data.results
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) throw failure
      if (REFUSED_BODY.has(failure.status)) return splitUsers(users, withAdministrators, failure)
      if (!TEMPORARY_FAILURES.has(failure.status) || tries === MAX_TRIES) throw failure
      await new Promise((resolve) => setTimeout(resolve, SECOND * 2 ** (tries - 1)))
    }
  }
}

async function splitUsers(
  users: Users,
  withAdministrators: boolean,
  failure: ApiProblem,
): Promise<ImportResult[]> {
  if (users.length === 1) {
    const { code, message } = failure
    return [{ index: 0, status: 'rejected', error: { code, message } }]
  }
  const half = Math.ceil(users.length / 2)
  const first = await sendUsers(users.slice(0, half), withAdministrators)
  return [...first, ...(await sendUsers(users.slice(half), withAdministrators))]
}

/** The maximum age of the sign-in in milliseconds (spec/management#operator-proof). */
const PROOF_MS = 3600 * SECOND
/** The time that a call with all its retries may take, in milliseconds. */
const MIN_REMAINING_MS = 90 * SECOND

/**
 * Tells whether the sign-in is recent enough for another call. If it weren't, a call that requires a recent sign-in
 * would leave the page, and the page's contents would be lost.
 */
export async function isSignInFreshEnough(needsProof = true): Promise<boolean> {
  const [at, left] = [await readAuthTime(), await getSecondsUntilExpiry()]
  if (left * SECOND <= MIN_REMAINING_MS) return false
  return !needsProof || (at !== null && at + PROOF_MS - Date.now() > MIN_REMAINING_MS)
}
