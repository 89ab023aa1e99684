import { isRefusal } from '../../contract/refused.ts'
import { isNativeCallback } from '../../domain/social/native-callback.ts'
import { parseInteraction } from '../../domain/social/social-state.ts'
import { clientOfInteractionQuery, readOpenInteraction } from '../../storage/interactions/oidc-reads.ts'
import type { Dependencies } from '../dependencies.ts'
import { checkInteraction } from '../interactions/oidc-interaction.ts'

export type NativeReturn = {
  /** Of the sign-in after which the callback counts. */
  state: string
  /** The link of an app. */
  callback: string
}

/**
 * Whether the state names an interaction that is still open, and the callback belongs to its client (spec/connectors#native-callbacks).
 * The states of the account centre and of an operator's test name none, so nothing of theirs goes to an app.
 */
export async function isWayIntoApp(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  tenantId: string,
  { state, callback }: NativeReturn,
): Promise<boolean> {
  const uid = parseInteraction(state)
  if (uid === null) return false
  const { results, ...rows } = await readOpenInteraction(
    db,
    { tenantId, uid, creation: [] },
    { clients: clientOfInteractionQuery(db, tenantId, uid) },
  )
  const interaction = checkInteraction(rows, now())
  if (isRefusal(interaction) || interaction.isConcluded) return false
  return isNativeCallback(results.clients[0], callback)
}
