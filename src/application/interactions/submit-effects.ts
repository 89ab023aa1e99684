import { hookEventByInteraction } from '../../contract/hooks/hooks.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import type { SubmitOutcome } from '../../domain/interactions/submit.ts'
import { createNotice } from '../connectors/notices.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  type AccountEventContext,
  accountNotice,
  dispatchNotifications,
  factorAddedEvents,
  removedFactorEvents,
  userUpdatedEvents,
} from '../hooks/events.ts'
import { userCreatedEvents } from '../hooks/user-events.ts'
import { preparePasswordResetEffects } from '../passwords/reset.ts'
import { finishRevocation, logoutEvents } from '../sessions/revoke.ts'
import type { EffectContext, EffectDependencies, RemovedCredentials, SubmitEffects } from './effect.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { OidcInteraction } from './oidc-interaction.ts'
import { prepareRegistrationEffects } from './registration.ts'
import { prepareSignInEffects } from './sign-in-effects.ts'

/** Returns the effects of a submission, or `samePassword` if a reset would set the account's current password again. */
export async function buildSubmitEffects(
  dependencies: EffectDependencies,
  context: EffectContext,
  outcome: SubmitOutcome,
): Promise<SubmitEffects | 'samePassword'> {
  switch (outcome.kind) {
    case 'register':
      return prepareRegistrationEffects(dependencies, context, outcome)
    case 'signIn':
      return prepareSignInEffects(dependencies, context, outcome)
    case 'resetPassword':
      return preparePasswordResetEffects(dependencies, context, outcome)
  }
}

/**
 * Returns the notifications about a submission. Hooks receive an event for every submission. After a password reset,
 * the user's applications receive logout tokens. The user receives a notice after a reset, when a social identity is
 * linked, and after a sign-in in a new browser.
 */
export function buildOutboxEvents(
  { now }: Pick<Dependencies, 'now'>,
  { tenantId, userAgent, message }: InteractionCall,
  { interaction, row, effects }: { interaction: Interaction; row: OidcInteraction; effects: SubmitEffects },
) {
  const { userId, revokedAt, addedFactor, link, isUpdate, newSignIn, removed, joins } = effects
  const { clientId: applicationId } = row
  // Whoever received a code at an address already knows about the reset, and the address may not even belong to the
  // account.
  const informed = interaction.proofs.flatMap((proof) =>
    proof.kind === 'email' || proof.kind === 'phone' ? [proof.value] : [],
  )
  const notice = { userId, type: 'PasswordReset', informed, now: now() } as const
  const context: AccountEventContext = { tenantId, userId, applicationId, message, now: now() }
  const isRemoval = removed && (removed.identities.length > 0 || removed.address)
  const linkEvents = link?.outbox.hooks ?? []
  const events = [
    ...(interaction.event === 'Register' ? [userCreatedEvents({ userId, applicationId, now: now() })] : []),
    ...(addedFactor ? [factorAddedEvents(addedFactor, context)] : []),
    ...(isRemoval || (isUpdate && linkEvents.length === 0) ? [userUpdatedEvents(context)] : []),
    ...linkEvents,
  ]
  return {
    hooks: [
      ...[
        { event: hookEventByInteraction[interaction.event], userId, applicationId, now: now() },
        ...events,
      ].map((event) => ({ ...event, interactionEvent: interaction.event, sessionId: row.uid, userAgent })),
      ...(joins?.hooks ?? []),
    ],
    hooksBefore: removed ? removedFactorEvents(context, removed.since, removed.passkeys) : joins?.hooksBefore,
    notice:
      revokedAt === undefined
        ? [link?.outbox.notice ?? [], newSignIn?.notice ?? []].flat()
        : [createNotice(message, notice), ...(removed ? noticesOfRemoval(removed, context) : [])],
    logouts: revokedAt === undefined ? undefined : logoutEvents({ userId, revokedAt }, row.returnTo),
  }
}

/**
 * Returns the notices about the credentials that a password reset has removed. They go to all addresses, including the
 * one that received the code.
 */
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
    type ? { ...accountNotice(type, context), reaches: 'formerAddresses' as const } : [],
  )
}

/** Sends the notifications about a submission after the response. */
export function sendSubmitNotifications(
  dependencies: Pick<Dependencies, 'db' | 'deliveries'>,
  { tenantId, background }: InteractionCall,
  { userId, revokedAt, link, newSignIn }: SubmitEffects,
  outboxIds: readonly string[],
): void {
  const dispatch = { tenantId, userId, outboxIds, background }
  if (revokedAt !== undefined) finishRevocation(dependencies, { ...dispatch, revokedAt, hasNotice: true })
  else
    dispatchNotifications(dependencies, {
      ...dispatch,
      hasNotice: link !== undefined || newSignIn?.isLikely === true,
    })
}
