import type { Refusal } from '../../contract/errors.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { refusesOperatorSignIn } from '../../domain/sessions/verification.ts'
import { readTogether } from '../../storage/batches.ts'
import { userQuery } from '../../storage/interactions/oidc-reads.ts'
import { levelQueries } from '../../storage/sessions/own-level.ts'
import type { Principal } from '../access/management-token.ts'
import type { Dependencies } from '../dependencies.ts'
import { needsTwoFactors } from './own-level.ts'

type ProofDependencies = Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>

/**
 * What a user who changes the credentials of others must have proved (spec/management#operator-proof): a sign-in of the last
 * hour, with two factors if the user has a second one. One round trip; an application by itself proves nothing more.
 */
export async function requireOperatorProof(
  dependencies: ProofDependencies,
  tenantId: string,
  principal: Principal,
): Promise<void> {
  orRefuse(await operatorProofProblem(dependencies, tenantId, principal))
}

/** The refusal of a caller who has not proved that, for what an answer shows. */
export async function operatorProofProblem(
  { db, now, tenantSettings }: ProofDependencies,
  tenantId: string,
  principal: Principal,
): Promise<Refusal | null> {
  if (principal.type === 'app') return null
  const { user, ...found } = await readTogether(db, {
    user: userQuery(db, tenantId, principal.id),
    ...levelQueries(db, tenantId, { userId: principal.id, clientId: principal.clientId }),
  })
  const [operator] = user
  if (!operator) refuseWith('auth.unauthorized')
  const needsTwo = needsTwoFactors(await tenantSettings.get(tenantId), operator, found)
  return refusesOperatorSignIn(principal, now(), { needsTwo })
}
