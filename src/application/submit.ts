import { type Refusal, refuse } from '../contract/errors.ts'
import { hookEventOf } from '../contract/hooks.ts'
import type { Interaction } from '../contract/interaction.ts'
import { Refused, refuseWith } from '../contract/refused.ts'
import { submit } from '../domain/submit.ts'
import { lookupsFor } from '../domain/submit-facts.ts'
import { concludeInteraction, isInteractionOpen } from '../storage/conclusions.ts'
import { randomId } from '../storage/ids.ts'
import { rolesNamedQuery } from '../storage/roles.ts'
import { accountsQuery, toAccount } from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { OidcInteraction } from './oidc-interaction.ts'
import { afterRevocation, logoutsOf } from './revocation.ts'
import { effectsOf, type SubmitEffects } from './submit-effects.ts'
import { asTaken } from './uniqueness-refusal.ts'

type SubmitDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'settings' | 'social' | 'tenantSettings' | 'deliveries'
>

export type Submitted = { kind: 'reset' } | { kind: 'onward'; redirectTo: string; userId: string }

/** POST /interaction/submit: one batch of facts, one decision, one batch of effects (spec/interaction#submit). */
export async function submitInteraction(
  dependencies: SubmitDependencies,
  call: InteractionCall,
): Promise<Submitted> {
  const { open, tenantId, audit } = call
  // Before anything is read: a sign-in is not dated later than the facts it was decided on (spec/accounts#revocation).
  const at = dependencies.now()
  const { row, targets, accounts, defaultRoles } = await readFacts(dependencies, call)
  const interaction = await open.record(row)
  const entry = audit.begin(`Interaction.${interaction.event}.Submit`, interaction)

  const { accountExistence } = await dependencies.tenantSettings.get(tenantId)
  const experience = await call.experience()
  const facts = { experience, accountExistence, accounts: accounts.map(toAccount), targets }
  const decision = submit(interaction, facts)
  if ('code' in decision.outcome) return refusePinned(decision.outcome)

  const condition = isInteractionOpen(tenantId, open.uid, row.reset, dependencies.now())
  const context = { tenantId, condition, at, accounts, defaultRoles }
  const effects = await effectsOf(dependencies, context, decision.outcome)
  if (effects === 'samePassword') return refusePinned(refuse('user.same_password'))

  const concluded = await concludeInteraction(dependencies.db, {
    tenantId,
    uid: open.uid,
    result: effects.login ? { ...row.lastSubmission, login: effects.login } : { reset: randomId() },
    condition,
    statements: effects.statements,
    audit: entry.success({ userId: effects.userId }),
    outbox: outboxEventsOf(dependencies, call, { interaction, row, effects }),
  }).catch(asTaken)
  if (!concluded) refuseWith('session.verification_session_not_found')
  sendOutbox(dependencies, call, effects, concluded.outboxIds)

  await open.conclude({ isOver: effects.login !== undefined })
  return effects.login
    ? { kind: 'onward', redirectTo: row.returnTo, userId: effects.userId }
    : { kind: 'reset' }

  /** The account is pinned even if the submit is refused (spec/interaction#pinned-account). */
  async function refusePinned(refusal: Refusal): Promise<never> {
    if (decision.interaction !== interaction) await open.save(decision.interaction)
    throw new Refused(refusal)
  }
}

async function readFacts(dependencies: SubmitDependencies, { open, tenantId }: InteractionCall) {
  const { db, settings } = dependencies
  const peeked = await open.peek()
  const targets = await socialTargets(dependencies, tenantId, peeked)
  const roleNames = peeked?.event === 'Register' ? settings.userDefaultRoleNames : []
  const { row, found } = await open.rowAnd({
    accounts: accountsQuery(db, tenantId, peeked ? lookupsFor(peeked, targets) : []),
    defaultRoles: rolesNamedQuery(db, tenantId, roleNames),
  })
  return { row, targets, ...found }
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

/** Hooks wait for each submit, and after a reset the user's applications for a logout token. */
function outboxEventsOf(
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

function sendOutbox(
  dependencies: SubmitDependencies,
  { tenantId, background }: InteractionCall,
  { userId, revokedAt }: SubmitEffects,
  outboxIds: readonly string[],
): void {
  if (revokedAt !== undefined) {
    background(() => afterRevocation(dependencies, { tenantId, userId, revokedAt }, outboxIds))
  } else if (outboxIds.length > 0) background(() => dependencies.deliveries.send(tenantId, outboxIds))
}
