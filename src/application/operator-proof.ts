import { orRefuse, refuseWith } from '../contract/refused.ts'
import { refusesOperatorSignIn } from '../domain/verification.ts'
import { readTogether } from '../storage/batches.ts'
import { userQuery } from '../storage/oidc-reads.ts'
import { levelQueries } from '../storage/own-level.ts'
import type { Dependencies } from './dependencies.ts'
import type { Principal } from './management-token.ts'
import { needsTwoFactors } from './own-level.ts'

/**
 * What a user who changes the credentials of others must have proved (spec/management#operator-proof): a sign-in of the last
 * hour, with two factors if the user has a second one. One round trip; an application by itself proves nothing more.
 */
export async function requireOperatorProof(
  { db, now, tenantSettings }: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  tenantId: string,
  principal: Principal,
): Promise<void> {
  if (principal.type === 'app') return
  const { user, ...found } = await readTogether(db, {
    user: userQuery(db, tenantId, principal.id),
    ...levelQueries(db, tenantId, { userId: principal.id, clientId: principal.clientId }),
  })
  const [operator] = user
  if (!operator) refuseWith('auth.unauthorized')
  const needsTwo = needsTwoFactors(await tenantSettings.get(tenantId), operator, found)
  orRefuse(refusesOperatorSignIn(principal, now(), { needsTwo }))
}
