import type { Interaction } from '../contract/interaction.ts'
import { lookupsFor } from '../domain/submit-facts.ts'
import { rolesNamedQuery } from '../storage/roles.ts'
import { accountsQuery, toAccount } from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'

/** The accounts, roles and connectors by which a submit is decided, in the round trip that reads the interaction. */
export async function readSubmitFacts(
  dependencies: Pick<Dependencies, 'db' | 'settings' | 'social'>,
  { open, tenantId }: InteractionCall,
) {
  const { db, settings } = dependencies
  const peeked = await open.peek()
  const targets = await socialTargets(dependencies, tenantId, peeked)
  const roleNames = peeked?.event === 'Register' ? settings.userDefaultRoleNames : []
  const { row, found } = await open.rowAnd({
    accounts: accountsQuery(db, tenantId, peeked ? lookupsFor(peeked, targets) : []),
    defaultRoles: rolesNamedQuery(db, tenantId, roleNames),
  })
  const { accounts: accountRows, defaultRoles } = found
  return { row, targets, accountRows, accounts: accountRows.map(toAccount), defaultRoles }
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
