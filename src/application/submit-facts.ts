import type { Interaction } from '../contract/interaction.ts'
import { refusesAttempts } from '../domain/limits.ts'
import { lookupsFor } from '../domain/submit-facts.ts'
import { type AttemptToCount, consumeAttempts } from '../storage/rate-limits.ts'
import { rolesNamedQuery } from '../storage/roles.ts'
import { accountsQuery, toAccount } from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'

export type ReadSubmitFacts = Awaited<ReturnType<typeof readSubmitFacts>>

/** The accounts, roles and connectors by which a submit is decided, in the round trip that reads the interaction. */
export async function readSubmitFacts(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'settings' | 'social' | 'tenantSettings'>,
  { open, tenantId, ip }: InteractionCall,
) {
  const { db, settings } = dependencies
  const { limits, accountExistence } = await dependencies.tenantSettings.get(tenantId)
  const now = dependencies.now()
  const peeked = await open.peek()
  const targets = await socialTargets(dependencies, tenantId, peeked)
  const roleNames = peeked?.event === 'Register' ? settings.userDefaultRoleNames : []
  const { row, found } = await open.rowAnd({
    accounts: accountsQuery(db, tenantId, peeked ? lookupsFor(peeked, targets) : []),
    defaultRoles: rolesNamedQuery(db, tenantId, roleNames),
    consumed: consumeAttempts(db, tenantId, peeked ? submitAttempts(peeked, ip) : [], {
      limits,
      environment: settings.environment,
      now,
    }),
  })
  const { accounts: accountRows, ...others } = found
  return {
    row,
    targets,
    accountRows,
    accounts: accountRows.map(toAccount),
    accountExistence,
    limitRefusal: refusesAttempts(found.consumed, now),
    ...others,
  }
}

/** A plain sign-in counts nothing: it makes no account, reveals no name and costs no hash (spec/accounts#submit-limits). */
function submitAttempts({ event, profile = {} }: Interaction, ip: string | undefined): AttemptToCount[] {
  return [
    ...(profile.username || profile.password ? [{ limit: 'submitsPerNetwork' as const, ip }] : []),
    ...(event === 'Register' ? [{ limit: 'registrationsPerNetwork' as const, ip }] : []),
  ]
}

/** The installed connectors by id. Read only when the interaction has a social proof. */
async function socialTargets(
  { social }: Pick<Dependencies, 'social'>,
  tenantId: string,
  interaction: Interaction | null,
) {
  if (!interaction?.proofs.some(({ kind }) => kind === 'social')) return {}
  return Object.fromEntries((await social.get(tenantId)).map((connector) => [connector.id, connector]))
}
