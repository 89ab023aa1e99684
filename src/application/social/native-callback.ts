import { isRefusal } from '../../contract/refused.ts'
import { isNativeCallback } from '../../domain/social/native-callback.ts'
import { parseInteractionState } from '../../domain/social/social-state.ts'
import { interactionClientQuery, readOpenInteraction } from '../../storage/interactions/oidc-reads.ts'
import type { Dependencies } from '../dependencies.ts'
import { checkInteraction } from '../interactions/oidc-interaction.ts'

export type NativeReturn = {
  /** The state of the sign-in to which the callback belongs. */
  state: string
  /** The app link that the provider calls back. */
  callback: string
}

/**
 * Checks whether the state names an open interaction, and whether the callback URL belongs to its client
 * (spec/connectors#native-callbacks). States from the account centre and from connector tests do not name an
 * interaction, so provider responses with these states are never passed on to an app.
 */
export async function mayReturnToApp(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  tenantId: string,
  { state, callback }: NativeReturn,
): Promise<boolean> {
  const uid = parseInteractionState(state)
  if (uid === null) return false
  const { results, ...rows } = await readOpenInteraction(
    db,
    { tenantId, uid, creation: [] },
    { clients: interactionClientQuery(db, tenantId, uid) },
  )
  const interaction = checkInteraction(rows, now())
  if (isRefusal(interaction) || interaction.isConcluded) return false
  return isNativeCallback(results.clients[0], callback)
}
