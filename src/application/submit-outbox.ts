import { hookEventOf } from '../contract/hooks.ts'
import type { Interaction } from '../contract/interaction.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { OidcInteraction } from './oidc-interaction.ts'
import { afterRevocation, logoutsOf } from './revocation.ts'
import type { SubmitEffects } from './submit-effect.ts'

/** Hooks wait for each submit, and after a reset the user's applications for a logout token. */
export function outboxEventsOf(
  { now }: Pick<Dependencies, 'now'>,
  { userAgent }: InteractionCall,
  { interaction, row, effects }: { interaction: Interaction; row: OidcInteraction; effects: SubmitEffects },
) {
  const { userId, revokedAt } = effects
  return {
    hooks: {
      event: hookEventOf[interaction.event],
      interactionEvent: interaction.event,
      userId,
      sessionId: row.uid,
      userAgent,
      applicationId: row.clientId,
      now: now(),
    },
    logouts: revokedAt === undefined ? undefined : logoutsOf({ userId, revokedAt }, row.returnTo),
  }
}

/** After the answer. */
export function sendOutbox(
  dependencies: Pick<Dependencies, 'db' | 'deliveries'>,
  { tenantId, background }: InteractionCall,
  { userId, revokedAt }: SubmitEffects,
  outboxIds: readonly string[],
): void {
  if (revokedAt !== undefined) {
    background(() => afterRevocation(dependencies, { tenantId, userId, revokedAt }, outboxIds))
  } else if (outboxIds.length > 0) background(() => dependencies.deliveries.send(tenantId, outboxIds))
}
