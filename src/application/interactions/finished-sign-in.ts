import type { PasskeyCreation } from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import { refusesVerification } from '../../domain/sessions/verification.ts'
import { allOf } from '../../storage/conditions.ts'
import { isUnended } from '../../storage/interactions/oidc-models.ts'
import { userOfLogin, userQuery } from '../../storage/interactions/oidc-reads.ts'
import { creationQueries } from '../../storage/passkeys/passkey-creation.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireCreation } from '../passkeys/passkey-permission.ts'
import type { InteractionCall } from './interaction-call.ts'

/**
 * A sign-in that is finished and has not gone on (ADR-0083): the interaction has its login, and the browser its cookie. That is
 * a recent proof of its user for ten minutes. `isFinished` is the same as a condition.
 */
export async function finishedSignIn(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  { tenantId, open }: InteractionCall,
) {
  const { db, now, tenantSettings } = dependencies
  const key = { tenantId, modelName: 'Interaction', id: open.uid }
  const { row, found } = await open.rowAnd({
    users: userQuery(db, tenantId, userOfLogin(key)),
    ...creationQueries(db, key, open.clientId),
  })
  const settings = await tenantSettings.get(tenantId)
  if (!settings.passkeys.offer) refuseWith('user.sign_in_method_not_enabled')
  const { login, params: request } = row
  const [user] = found.users
  const isOver =
    !login ||
    !user ||
    isRevoked(user, { madeAt: login.ts, exemptedAt: undefined }) ||
    refusesVerification(login.ts * 1000, now())
  if (isOver) return refuseWith('session.verification_session_not_found')
  return {
    ...{ key, present: found.passkeys },
    owner: { tenantId, user, place: `interaction/${open.uid}` },
    isFinished: allOf(isUnended(key), isUnrevoked(tenantId, user)),
    requires: (creation: PasskeyCreation) =>
      requireCreation(creation, settings, { tenantId, user, amr: login.amr, request }, found),
  }
}
