import { refuseWith } from '../../contract/refused.ts'
import { notAudited } from '../../storage/commit.ts'
import { concludeInteraction, isInteractionOpen } from '../../storage/interactions/conclusions.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'

/** DELETE /interaction: where the browser takes the error to the application (spec/interaction#cancel). */
export async function cancelInteraction(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { open, tenantId }: InteractionCall,
): Promise<string> {
  const row = await open.row()
  const concluded = await concludeInteraction(db, {
    tenantId,
    uid: open.uid,
    result: { error: 'oidc.aborted', error_description: 'the user cancelled' },
    condition: isInteractionOpen(tenantId, open.uid, row.reset, now()),
    statements: {},
    audit: notAudited('the provider records the end of an interaction'),
  })
  if (!concluded) refuseWith('session.verification_session_not_found')
  await open.conclude({ isOver: true })
  return row.returnTo
}
