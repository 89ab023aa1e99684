import { ApiProblem } from '../../api/problem.ts'
import { isRecentProof } from '../../session/proof-age.ts'
import { provedAt } from '../../session/session.ts'

/**
 * Before something is undone that the API asks a recent sign-in for: the call would leave the page for a sign-in, and come back
 * with nothing undone. `message` says so.
 */
export async function requireRecentProof(message: string): Promise<void> {
  if (isRecentProof(await provedAt())) return
  throw new ApiProblem({ status: 403, code: 'auth.insufficient_user_authentication', message })
}
