import { type Refusal, refuse } from '../contract/errors.ts'
import type { Experience } from '../contract/experience.ts'
import { orRefuse, RefusalError, refuseWith } from '../contract/refused.ts'
import { cutText } from '../domain/log-bounds.ts'
import { decideSubmit } from '../domain/submit.ts'
import { agreeToTerms, newAgreementOf } from '../domain/terms.ts'
import { concludeInteraction, isInteractionOpen } from '../storage/conclusions.ts'
import type { TrustedBrowser } from '../storage/trusted-browsers.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'
import { refundAttempts } from './refund-attempts.ts'
import { effectsOf } from './submit-effects.ts'
import { type ReadSubmitFacts, readSubmitFacts } from './submit-facts.ts'
import { outboxEventsOf, sendOutbox } from './submit-outbox.ts'
import { newBrowser } from './trusted-browser.ts'
import { asTaken } from './uniqueness-refusal.ts'

/** A connector that is no longer offered when the user submits links no identity and signs in no one. */
const offeredOf = <Target>({ socialConnectors }: Experience, targets: Record<string, Target>) =>
  Object.fromEntries(
    Object.entries(targets).filter(([connectorId]) => socialConnectors.some(({ id }) => id === connectorId)),
  )

type SubmitDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'settings' | 'social' | 'tenantSettings' | 'deliveries'
>

export type Submitted =
  | { kind: 'reset' }
  | { kind: 'onward'; redirectTo: string; userId: string; browser: TrustedBrowser }

/** What the user states with a submit (spec/interaction#agreement). */
type Statement = { agreesToTerms: boolean }

/** POST /interaction/submit: one batch of facts, one decision, one batch of effects (spec/interaction#submit). */
export async function submitInteraction(
  dependencies: SubmitDependencies,
  call: InteractionCall,
  stated: Statement,
): Promise<Submitted> {
  // Before anything is read: a sign-in is not dated later than the facts it was decided on (spec/accounts#revocation).
  const at = dependencies.now()
  const found = await readSubmitFacts(dependencies, call)
  try {
    const submitted = await submitFound(dependencies, call, { ...found, ...stated, at })
    refund('accepted')
    return submitted
  } catch (error) {
    if (error instanceof RefusalError) refund('refused')
    throw error
  }

  function refund(outcome: 'accepted' | 'refused') {
    const { consumed } = found
    if (consumed.length > 0)
      call.background(() => refundAttempts(dependencies, call.tenantId, { consumed, outcome }))
  }
}

async function submitFound(
  dependencies: SubmitDependencies,
  call: InteractionCall,
  {
    at,
    row,
    limitRefusal,
    accountRows,
    defaultRoles,
    agreesToTerms,
    ...found
  }: ReadSubmitFacts & Statement & { at: number },
): Promise<Submitted> {
  const { open, tenantId, audit } = call
  const stored = await open.record(row)
  const entry = audit.begin(`Interaction.${stored.event}.Submit`, stored)

  orRefuse(limitRefusal)
  const experience = await call.experience()
  const interaction = agreeToTerms(stored, experience, { isStated: agreesToTerms, now: at })
  const targets = offeredOf(experience, found.targets)
  const decision = decideSubmit(interaction, { ...found, experience, targets })
  if ('code' in decision.outcome) return refusePinned(decision.outcome)

  const condition = isInteractionOpen(tenantId, open.uid, row.reset, dependencies.now())
  const browser = (await call.trustedBrowser()) ?? newBrowser()
  const userAgent = call.userAgent ? cutText(call.userAgent) : null
  const signsInWith = { browserId: browser.id, userAgent }
  const context = {
    ...{ tenantId, condition, at, accounts: accountRows, defaultRoles, signsInWith },
    newAgreement: newAgreementOf(interaction, experience),
  }
  const effects = await effectsOf(dependencies, context, decision.outcome)
  if (effects === 'samePassword') return refusePinned(refuse('user.same_password'))
  const isReset = 'reset' in effects.result

  const outbox = outboxEventsOf(dependencies, call, { interaction, row, effects })
  const concluded = await concludeInteraction(dependencies.db, {
    tenantId,
    uid: open.uid,
    result: isReset ? effects.result : { ...row.lastSubmission, ...effects.result },
    condition,
    statements: effects.statements,
    audit: entry.success({ userId: effects.userId, termsAgreement: effects.termsAgreement }),
    outbox,
  }).catch(asTaken)
  if (!concluded) refuseWith('session.verification_session_not_found')
  sendOutbox(dependencies, call, effects, concluded.outboxIds)

  await open.conclude({ isOver: !isReset })
  return isReset
    ? { kind: 'reset' }
    : { kind: 'onward', redirectTo: row.returnTo, userId: effects.userId, browser }

  /** Pins the account, and keeps what was stated in words, even if the submit is refused (spec/interaction#pinned-account). */
  async function refusePinned(refusal: Refusal): Promise<never> {
    const kept = agreesToTerms ? stored : interaction
    if (decision.interaction !== kept) await open.save(decision.interaction)
    throw new RefusalError(refusal)
  }
}
