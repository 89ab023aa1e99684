import { type Refusal, refuse } from '../../contract/errors.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import type { PasskeyAbility, PasskeysAfterSubmit } from '../../contract/passkeys/passkeys.ts'
import { RefusalError, refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { findRisks, isAdaptive, isNeverRemembered } from '../../domain/factors/second-factor-policy.ts'
import { deriveAuthentication } from '../../domain/interactions/authentication.ts'
import {
  type Decision,
  decideSubmit,
  type SubmitOutcome,
  withDecisiveProofs,
} from '../../domain/interactions/submit.ts'
import { agreementToRecord, agreeToTerms } from '../../domain/interactions/terms.ts'
import { truncateText } from '../../domain/log-bounds.ts'
import { describeSignIn, type RememberedAccount } from '../../domain/sessions/remembered-accounts.ts'
import { getRememberedPeriod, type RememberedPeriod } from '../../domain/sessions/remembered-browser.ts'
import { listStatements } from '../../storage/batches.ts'
import { randomId } from '../../storage/ids.ts'
import { concludeInteraction, isInteractionOpen } from '../../storage/interactions/conclusions.ts'
import type { NewLog } from '../../storage/logs.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { rethrowAsConflict } from '../account/uniqueness-refusal.ts'
import { enforceAccountLimit } from '../account-limit.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeReplacedPicture } from '../experience/remove-uploads.ts'
import { beginSecondFactor } from '../factors/begin.ts'
import { readPasskeysAfterSubmit } from '../passkeys/after-sign-in.ts'
import { newSignInNotice } from '../sessions/new-browser.ts'
import { createTrustedBrowser } from '../sessions/trusted-browsers.ts'
import { createIdentityLink } from '../social/identity-link.ts'
import type { EffectContext, SubmitEffects } from './effect.ts'
import type { InteractionCall } from './interaction-call.ts'
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

/** A completed sign-in, as the browser may remember it (spec/accounts#remembered-account). */
export type CompletedSignIn = RememberedAccount & {
  applicationId: string
  /** Whether the browser remembers the account from now on, no longer, or as before. */
  remembrance: 'add' | 'remove' | 'keep'
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
  const targets = offeredOf(experience, facts.targets)
  const decision = decideSubmit(interaction, { ...facts, experience, targets })
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

  const { context, browser } = submitContext(dependencies, call, facts, {
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
  const signIn = {
    ...describeSignIn(
      withDecisiveProofs(decision.interaction, decision.outcome),
      signedIn ?? identifiersOf(decision.outcome),
      experience,
    ),
    id: randomId(),
    userId,
    at,
    applicationId: row.clientId,
    remembrance: remembranceOf(signedIn, facts),
  }
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

/** Checks whether the tenant, the application and the roles of the account allow to remember a browser. */
const mayRemember = (
  signedIn: Facts['accounts'][number] | undefined,
  { secondFactor, rememberRule }: Pick<Facts, 'secondFactor' | 'rememberRule'>,
): boolean => rememberRule.days > 0 && !isNeverRemembered(signedIn ?? null, secondFactor)

/** An application that remembers no browser changes nothing for the others. A role applies to its members everywhere. */
function remembranceOf(
  signedIn: Facts['accounts'][number] | undefined,
  facts: Pick<Facts, 'secondFactor' | 'rememberRule' | 'rememberAccounts'>,
): CompletedSignIn['remembrance'] {
  if (facts.rememberAccounts && mayRemember(signedIn, facts)) return 'add'
  const { neverRemembered } = facts.secondFactor
  return signedIn && neverRemembered?.userIds.includes(signedIn.id) ? 'remove' : 'keep'
}

/** Returns the identifiers of a new account. */
function identifiersOf(outcome: SubmitOutcome) {
  const { username = null, email = null, phone = null } = outcome.kind === 'register' ? outcome.user : {}
  return { username, email, phone }
}

/**
 * Returns only the connectors that the experience still offers. Other connectors must neither link an identity nor sign
 * anyone in.
 */
const offeredOf = <Target>({ socialConnectors }: Experience, targets: Record<string, Target>) =>
  Object.fromEntries(
    Object.entries(targets).filter(([connectorId]) => socialConnectors.some(({ id }) => id === connectorId)),
  )

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

type Decided = {
  interaction: Interaction
  decision: Decision
  outcome: SubmitOutcome
  signedIn: Facts['accounts'][number] | undefined
  experience: Experience
}

/** Returns the context for a submission's effects, and the browser with which the user signs in. */
function submitContext(
  dependencies: SubmitDependencies,
  { open, tenantId, audit, message, userAgent, place }: InteractionCall,
  facts: Facts,
  { interaction, decision, outcome, signedIn, experience }: Decided,
): { context: EffectContext; browser: TrustedBrowser } {
  const { at, row, secondFactor, rememberRule } = facts
  const remembrance = getRememberedPeriod(outcome, {
    isWished: interaction.remembersBrowser === true,
    rememberDays: mayRemember(signedIn, { secondFactor, rememberRule }) ? rememberRule.days : 0,
    at,
  })
  // A browser that becomes remembered gets a new id, because its old cookie may have been copied.
  const former = remembrance === null ? null : facts.browser
  const browser = {
    ...(facts.browser ?? createTrustedBrowser()),
    ...(former && { id: createTrustedBrowser().id }),
  }
  const connectorId = interaction.profile?.connectorId
  const context: EffectContext = {
    tenantId,
    condition: isInteractionOpen(tenantId, open.uid, row.reset, dependencies.now()),
    at,
    accounts: facts.accountRows,
    additions: facts.additions,
    authentication: deriveAuthentication(
      withDecisiveProofs(decision.interaction, outcome),
      secondFactor.factors,
    ),
    newAgreement: agreementToRecord(interaction, experience),
    signsInWith: {
      browserId: browser.id,
      former,
      userAgent: userAgent ? truncateText(userAgent) : null,
      remembrance,
    },
    rememberRule,
    deferral: { interactionId: open.uid, most: secondFactor.maxDeferrals },
    placeFor: (id) => (isAdaptive(id === null ? null : { id }, secondFactor) ? place() : null),
    defaultRoles: facts.defaultRoles,
    linkTo: (userId, target, identity) =>
      createIdentityLink(
        { tenantId, userId, applicationId: row.clientId, message, now: at },
        { target, identity, audit: audit.begin('Account.Identity.Create', { connectorId }) },
      ),
    noticeOfSignIn: (userId) =>
      facts.newSignInNotices && signedIn?.email
        ? newSignInNotice(message, { tenantId, userId, browser: facts.browser, now: dependencies.now() })
        : undefined,
  }
  return { context, browser }
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
    audit: [submit, ...(link ? [link.audit] : []), ...(await open.takeHeldLogs())],
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
