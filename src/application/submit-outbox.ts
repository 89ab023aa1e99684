import { hookEventOf } from '../contract/hooks.ts'
import type { Interaction } from '../contract/interaction.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'
import { noticeOf } from './notices.ts'
import type { OidcInteraction } from './oidc-interaction.ts'
import { afterRevocation, logoutsOf } from './revocation.ts'
import type { SubmitEffects } from './submit-effect.ts'

/** Hooks wait for each submit, after a reset the user's applications for a logout token, and the user for a notice. */
export function outboxEventsOf(
  { now }: Pick<Dependencies, 'now'>,
  { userAgent, message }: InteractionCall,
  { interaction, row, effects }: { interaction: Interaction; row: OidcInteraction; effects: SubmitEffects },
) {
  const { userId, revokedAt } = effects
  // The code has informed the address it was sent to, which may also be one that is not the account's.
  const informed = interaction.proofs.flatMap((proof) =>
    proof.kind === 'email' || proof.kind === 'phone' ? [proof.value] : [],
  )
  const notice = { userId, type: 'PasswordReset', informed, now: now() } as const
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
    notice: revokedAt === undefined ? undefined : noticeOf(message, notice),
    logouts: revokedAt === undefined ? undefined : logoutsOf({ userId, revokedAt }, row.returnTo),
  }
}

/** After the answer. */
export function sendOutbox(
  dependencies: Pick<Dependencies, 'db' | 'deliveries'>,
  { tenantId, background }: InteractionCall,
  { userId, revokedAt }: SubmitEffects,
  ids: readonly string[],
): void {
  if (revokedAt !== undefined) {
    background(() => dependencies.deliveries.sendNotices({ tenantId, userId }))
    background(() => afterRevocation(dependencies, { tenantId, userId, revokedAt }, ids))
  } else if (ids.length > 0) background(() => dependencies.deliveries.send(tenantId, ids))
}
