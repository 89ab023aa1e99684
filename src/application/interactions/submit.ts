import { type Refusal, refuse } from '../../contract/errors.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import type { PasskeyAbility, PasskeysAfterSubmit } from '../../contract/passkeys/passkeys.ts'
import { RefusalError, refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { findRisks } from '../../domain/factors/second-factor-policy.ts'
import type { Decision } from '../../domain/interactions/submit.ts'
import { agreeToTerms } from '../../domain/interactions/terms.ts'
import type { RememberedPeriod } from '../../domain/sessions/remembered-browser.ts'
import { listStatements } from '../../storage/batches.ts'
import { concludeInteraction } from '../../storage/interactions/conclusions.ts'
import { joinLogs } from '../../storage/log-steps.ts'
import type { NewLog } from '../../storage/logs.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { rethrowAsConflict } from '../account/uniqueness-refusal.ts'
import { enforceAccountLimit } from '../account-limit.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeReplacedPicture } from '../experience/remove-uploads.ts'
import { beginSecondFactor } from '../factors/begin.ts'
import { readPasskeysAfterSubmit } from '../passkeys/after-sign-in.ts'
import { type CompletedSignIn, completedSignIn } from './completed-sign-in.ts'
import { decideSubmission } from './decide-submission.ts'
import type { EffectContext, SubmitEffects } from './effect.ts'
import type { InteractionCall } from './interaction-call.ts'
import { createSubmitContext } from './submit-context.ts'
import { buildOutboxEvents, buildSubmitEffects, sendSubmitNotifications } from './submit-effects.ts'
import { readSubmitFacts, type StoredSubmitFacts } from './submit-facts.ts'

type SubmitDependencies = Pick<
  Dependencies,
  | 'db'
  | 'now'
  | 'seals'
  | 'settings'
  | 'social'
  | 'tenantSettings'
  | 'deliveries'
  | 'network'
  | 'floodLimits'
  | 'experience'
  | 'phrases'
>

type Submitted =
  | { kind: 'reset' }
  | {
      kind: 'continues'
      redirectTo: string
      userId: string
      browser: TrustedBrowser
      signIn: CompletedSignIn
      passkeys?: PasskeysAfterSubmit | undefined
    }

/**
 * The user's choices in a submission (spec/interaction#agreement, spec/accounts#put-off,
 * spec/accounts#remembered-browser), and the passkey operations that the browser supports.
 */
type SubmitChoices = {
  agreesToTerms: boolean
  putsOffSecondFactor: boolean
  remembersBrowser: boolean | undefined
  passkeyAbilities: readonly PasskeyAbility[]
}

/**
 * Submits an interaction, for POST /interaction/submit. It reads the facts in one batch, decides, and writes the
 * effects in another batch (spec/interaction#submit).
 */
export async function submitInteraction(
  dependencies: SubmitDependencies,
  call: InteractionCall,
  choices: SubmitChoices,
): Promise<Submitted> {
  // The time is taken before anything is read. A sign-in must not be dated later than the data on which it is based
  // (spec/accounts#revocation).
  const at = dependencies.now()
  const facts = await readSubmitFacts(dependencies, call, choices.passkeyAbilities.length > 0)
  try {
    const submitted = await decideAndCommit(dependencies, call, { ...facts, ...choices, at })
    call.background(() => facts.refund('accepted'))
    return submitted
  } catch (error) {
    if (error instanceof RefusalError) call.background(() => facts.refund('refused'))
    throw error
  }
}

type Facts = StoredSubmitFacts & SubmitChoices & { at: number }

async function decideAndCommit(
  dependencies: SubmitDependencies,
  call: InteractionCall,
  facts: Facts,
): Promise<Submitted> {
  const { at, row, limitRefusal, accountRows, agreesToTerms, putsOffSecondFactor, remembersBrowser } = facts
  const { open, tenantId, audit } = call
  const stored = await open.record(row)
  const entry = audit.begin(`Interaction.${stored.event}.Submit`, stored)

  throwIfRefused(limitRefusal)
  const experience = await call.experience()
  const agreed = agreeToTerms(stored, experience, { isStated: agreesToTerms, now: at })
  const recordedChoices = {
    ...(remembersBrowser !== undefined && { remembersBrowser }),
    ...(putsOffSecondFactor && { putsOffSecondFactor }),
  }
  const hasChoices = Object.keys(recordedChoices).length > 0
  const interaction = hasChoices ? { ...agreed, ...recordedChoices } : agreed
  const decision = await decideSubmission(dependencies, { tenantId, interaction, facts, experience })
  const signedIn = facts.accounts.find(({ id }) => id === decision.interaction.accountId)
  const risks = signedIn ? findRisks(signedIn, facts.secondFactor) : []
  if (signedIn) entry.add({ userId: signedIn.id, ...(risks.length > 0 && { risks }) })
  if ('code' in decision.outcome) return refusePinned(decision.outcome)
  if (signedIn) {
    const { id: userId } = signedIn
    // Password resets have a separate counter, so that someone who knows the password cannot use up the owner's
    // attempts.
    const counter = decision.outcome.kind === 'resetPassword' ? 'reset' : 'sign-in'
    await enforceAccountLimit(dependencies, counter, { tenantId, userId, ip: call.ip })
  }

  const { context, browser } = createSubmitContext(dependencies, call, facts, {
    interaction,
    decision,
    outcome: decision.outcome,
    signedIn,
    experience,
  })
  const effects = await buildSubmitEffects(dependencies, context, decision.outcome)
  if (effects === 'samePassword') return refusePinned(refuse('user.same_password'))
  const submit = entry.success({
    userId: effects.userId,
    termsAgreement: effects.termsAgreement,
    ...auditOfRemoval(effects),
    ...browserAudit(decision, context.signsInWith.remembrance),
  })
  await commitSubmit(dependencies, call, { row, interaction, effects, context, submit })

  const isReset = 'reset' in effects.result
  await open.conclude(isReset ? 'reset' : 'signedIn')
  if (isReset) return { kind: 'reset' }
  const passkeys = await readPasskeysAfterSubmit(dependencies, call, {
    row,
    userId: effects.userId,
    abilities: facts.passkeyAbilities,
    amr: context.authentication.amr,
    users: accountRows,
    owners: facts.passkeyOwners,
    secondFactor: facts.secondFactor,
  })
  const { userId } = effects
  const signIn = completedSignIn({
    ...facts,
    experience,
    decision,
    outcome: decision.outcome,
    signedIn,
    userId,
  })
  return { kind: 'continues', redirectTo: row.returnTo, userId, browser, signIn, passkeys }

  /**
   * Saves the pinned account and the user's choices, and then throws the error of a rejected submission
   * (spec/interaction#pinned-account).
   */
  async function refusePinned(refusal: Refusal): Promise<never> {
    const saved = agreesToTerms || hasChoices ? stored : interaction
    if (decision.interaction !== saved) await open.saveRefused(decision.interaction)
    if (signedIn && refusal.code === 'user.second_factor_required')
      await beginSecondFactor(dependencies, call, {
        refusal,
        account: signedIn,
        interaction: decision.interaction,
      })
    throw new RefusalError(refusal)
  }
}

/**
 * Returns the audit fields about the browser: whether it was already remembered, so that no second factor was needed,
 * and until when it is remembered now.
 */
const browserAudit = ({ outcome }: Decision, remembrance: RememberedPeriod | null) => ({
  ...(remembrance && { rememberedUntil: remembrance.until }),
  ...(outcome.kind === 'signIn' && outcome.factor?.kind === 'remembered' && { isBrowserRemembered: true }),
})

/**
 * Returns the audit fields about removed credentials. Backup codes are removed with their app and not listed
 * separately.
 */
const auditOfRemoval = ({ removed }: SubmitEffects) =>
  removed && {
    ...(removed.passkeys.length > 0 && { removedPasskeys: removed.passkeys }),
    ...(removed.identities.length > 0 && { unlinkedIdentities: removed.identities }),
    ...(removed.hasTotp && { removedFactors: ['totp'] }),
    ...(removed.address && { removedAddress: removed.address }),
  }

type Commit = {
  row: Facts['row']
  interaction: Interaction
  effects: SubmitEffects
  context: EffectContext
  /** The audit entry of the submission. */
  submit: NewLog
}

/** Concludes the interaction and writes the effects in one batch, then sends the notifications. */
async function commitSubmit(
  dependencies: SubmitDependencies,
  call: InteractionCall,
  { row, interaction, effects, context, submit }: Commit,
): Promise<void> {
  const { open, tenantId } = call
  const { userId, link, result } = effects
  const account = context.accounts.find(({ id }) => id === userId)
  const concluded = await concludeInteraction(dependencies.db, {
    tenantId,
    uid: open.uid,
    result: 'reset' in result ? result : { ...row.lastSubmission, ...result },
    condition: effects.condition ?? context.condition,
    preconditions: [
      // The account may have been revoked between the decision and the batch. Its proofs are then no longer valid.
      ...(account
        ? [{ condition: isUnrevoked(tenantId, account), code: 'session.verification_failed' as const }]
        : []),
      ...(link ? [link.precondition] : []),
    ],
    statements: { replaced: effects.picture?.replaced, effects: listStatements(effects.statements) },
    audit: [...joinLogs(submit, { before: await open.takeHeldLogs() }), ...(link ? [link.audit] : [])],
    outbox: buildOutboxEvents(dependencies, call, { interaction, row, effects }),
  }).catch(rethrowAsConflict)
  if (!concluded) refuseWith('session.verification_session_not_found')
  sendSubmitNotifications(dependencies, call, effects, concluded.outboxIds)
  const { replaced } = concluded
  if (replaced.length > 0) {
    const { avatar } = effects.picture ?? {}
    call.background(() => removeReplacedPicture(dependencies, { tenantId, userId, replaced, avatar }))
  }
}
