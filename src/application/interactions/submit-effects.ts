import { hookEventByInteraction } from '../../contract/hooks/hooks.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import type { SubmitOutcome } from '../../domain/interactions/submit.ts'
import { noticeOf } from '../connectors/notices.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  type AccountEventContext,
  dispatchNotifications,
  factorAdded,
  noticeTo,
  removedByUndo,
  userUpdated,
} from '../hooks/events.ts'
import { passwordReset } from '../passwords/reset.ts'
import { afterRevocation, logoutsOf } from '../sessions/revoke.ts'
import type { EffectContext, EffectDependencies, RemovedCredentials, SubmitEffects } from './effect.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { OidcInteraction } from './oidc-interaction.ts'
import { registrationEffects } from './registration.ts'
import { signInEffects } from './sign-in-effects.ts'

export async function effectsOf(
  dependencies: EffectDependencies,
  context: EffectContext,
  outcome: SubmitOutcome,
): Promise<SubmitEffects | 'samePassword'> {
  switch (outcome.kind) {
    case 'register':
      return registrationEffects(dependencies, context, outcome)
    case 'signIn':
      return signInEffects(dependencies, context, outcome)
    case 'resetPassword':
      return passwordReset(dependencies, context, outcome)
  }
}

/**
 * Hooks wait for each submit; after a reset the user's applications for a logout token, and the user for a notice, as after a
 * link of a social identity.
 */
export function outboxEventsOf(
  { now }: Pick<Dependencies, 'now'>,
  { tenantId, userAgent, message }: InteractionCall,
  { interaction, row, effects }: { interaction: Interaction; row: OidcInteraction; effects: SubmitEffects },
) {
  const { userId, revokedAt, addedFactor, link, removed } = effects
  const { clientId: applicationId } = row
  // The code has informed the address it was sent to, which may also be one that is not the account's.
  const informed = interaction.proofs.flatMap((proof) =>
    proof.kind === 'email' || proof.kind === 'phone' ? [proof.value] : [],
  )
  const notice = { userId, type: 'PasswordReset', informed, now: now() } as const
  const context: AccountEventContext = { tenantId, userId, applicationId, message, now: now() }
  const events = [
    ...(addedFactor ? [factorAdded(addedFactor, context)] : []),
    ...(removed && (removed.identities.length > 0 || removed.address) ? [userUpdated(context)] : []),
    ...(link?.outbox.hooks ?? []),
  ]
  return {
    hooks: [
      { event: hookEventByInteraction[interaction.event], userId, applicationId, now: now() },
      ...events,
    ].map((event) => ({ ...event, interactionEvent: interaction.event, sessionId: row.uid, userAgent })),
    hooksBefore: removed && removedByUndo(context, removed.since, removed.passkeys),
    notice:
      revokedAt === undefined
        ? link?.outbox.notice
        : [noticeOf(message, notice), ...(removed ? noticesOfRemoval(removed, context) : [])],
    logouts: revokedAt === undefined ? undefined : logoutsOf({ userId, revokedAt }, row.returnTo),
  }
}

/** With a reset of the password: to each address what was removed, the one that received the code and one that is back included. */
const noticesOfRemoval = (
  { passkeys, identities, hasTotp, address }: RemovedCredentials,
  context: AccountEventContext,
) => {
  const types = [
    passkeys.length > 0 && 'PasskeyRemoved',
    hasTotp && 'FactorsChanged',
    identities.length > 0 && 'IdentitiesChanged',
    address && (address === 'email' ? 'EmailChanged' : 'PhoneChanged'),
  ] as const
  return types.flatMap((type) =>
    type ? { ...noticeTo(type, context), reaches: 'formerAddresses' as const } : [],
  )
}

/** After the answer. */
export function sendOutbox(
  dependencies: Pick<Dependencies, 'db' | 'deliveries'>,
  { tenantId, background }: InteractionCall,
  { userId, revokedAt, link }: SubmitEffects,
  outboxIds: readonly string[],
): void {
  const dispatch = { tenantId, userId, outboxIds, background }
  if (revokedAt !== undefined) afterRevocation(dependencies, { ...dispatch, revokedAt, hasNotice: true })
  else dispatchNotifications(dependencies, { ...dispatch, hasNotice: link !== undefined })
}
