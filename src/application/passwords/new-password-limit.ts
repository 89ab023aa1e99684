import type { Refusal } from '../../contract/errors.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { readTogether } from '../../storage/batches.ts'
import { consumeAttempts } from '../../storage/rate-limits.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'

/** How many new passwords a network may give: each costs hashes or a question to the service (spec/accounts#new-password-limit). */

type LimitDependencies = Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>

/** The refusal of one more, or null. A round trip of its own. */
export async function countNewPassword(
  dependencies: LimitDependencies,
  { tenantId, ip }: Pick<InteractionCall, 'tenantId' | 'ip'>,
): Promise<Refusal | null> {
  const { statements, now } = await countingOf(dependencies, { tenantId, ip })
  const { consumed } = await readTogether(dependencies.db, { consumed: statements })
  return refusesAttempts(consumed, now)
}

/** The same in the round trip that reads the interaction. Without a password nothing is counted. */
export async function rowCountingPassword(
  dependencies: LimitDependencies,
  call: Pick<InteractionCall, 'tenantId' | 'ip' | 'open'>,
  password: string | undefined,
): Promise<{ row: OidcInteraction; limitRefusal: Refusal | null }> {
  if (password === undefined) return { row: await call.open.row(), limitRefusal: null }
  const { statements, now } = await countingOf(dependencies, call)
  const { row, found } = await call.open.rowAnd({ consumed: statements })
  return { row, limitRefusal: refusesAttempts(found.consumed, now) }
}

async function countingOf(
  dependencies: LimitDependencies,
  { tenantId, ip }: Pick<InteractionCall, 'tenantId' | 'ip'>,
) {
  const { db, settings, tenantSettings } = dependencies
  const { limits } = await tenantSettings.get(tenantId)
  const now = dependencies.now()
  const given = { limits, environment: settings.environment, now }
  return { now, statements: consumeAttempts(db, tenantId, [{ limit: 'newPasswordsPerNetwork', ip }], given) }
}
