import { type Refusal, refuse } from '../../contract/errors.ts'
import type { PasskeyAbility, PasskeysAfterSubmit } from '../../contract/passkeys/passkeys.ts'
import { RefusalError, refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { findRisks } from '../../domain/factors/second-factor-policy.ts'
import type { Decision } from '../../domain/interactions/submit.ts'
import { agreeToTerms } from '../../domain/interactions/terms.ts'
import type { RememberedPeriod } from '../../domain/sessions/remembered-browser.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import { enforceAccountLimit } from '../account-limit.ts'
import type { Dependencies } from '../dependencies.ts'
import { beginSecondFactor } from '../factors/begin.ts'
import { readPasskeysAfterSubmit } from '../passkeys/after-sign-in.ts'
import type { PreparedAuthorization } from './authorization.ts'
import { commitSubmission, resultOf } from './commit-submission.ts'
import { type CompletedSignIn, completedSignIn } from './completed-sign-in.ts'
import { decideSubmission } from './decide-submission.ts'
import type { SubmitEffects } from './effect.ts'
import type { InteractionCall } from './interaction-call.ts'
import { createSubmitContext } from './submit-context.ts'
import { buildSubmitEffects } from './submit-effects.ts'
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
      /** The `Set-Cookie` headers of the provider, if the authorization is finished. */
      cookies: readonly string[]
      browser: TrustedBrowser
      signIn: CompletedSignIn
      passkeys?: PasskeysAfterSubmit | undefined
    }

/**
 * The user's choices in a submission (spec/interaction#agreement, spec/accounts#put-off,
 * spec/accounts#remembered-browser), and the passkey operations that the browser supports.
 */
type SubmitChoices = {
  /** Prepares to finish the authorization together with the submission. */
  prepareAuthorization(userId: string | undefined): Promise<PreparedAuthorization>
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
  const facts = await readSubmitFacts(dependencies, call, {
    asksForPasskeys: choices.passkeyAbilities.length > 0,
    prepareAuthorization: choices.prepareAuthorization,
  })
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
  if (row.login) refuseWith('session.already_submitted')
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
  const commit = { row, interaction, effects, context, submit }
  if ('reset' in effects.result) {
    await commitSubmission(dependencies, call, { ...commit, response: null })
    await open.conclude('reset')
    return { kind: 'reset' }
  }
  const passkeys = await readPasskeysAfterSubmit(dependencies, tenantId, {
    row,
    userId: effects.userId,
    abilities: facts.passkeyAbilities,
    amr: context.authentication.amr,
    users: accountRows,
    owners: facts.passkeyOwners,
    secondFactor: facts.secondFactor,
  })
  const creations = passkeys?.creations ?? []
  // A passkey is created before the browser resumes the interaction, which has to stay open for this.
  const response = creations.length === 0 ? await finishWith(facts, effects) : null
  await commitSubmission(dependencies, call, { ...commit, response })
  await open.conclude('signedIn')
  // The navigation state tells the page that offers a passkey how to continue.
  if (creations.includes('offer')) await open.saveNavigationState({ onward: new URL(row.returnTo).pathname })
  for (const task of response?.tasks ?? []) call.background(task)
  const { userId } = effects
  const { redirectTo = row.returnTo, cookies = [] } = response ?? {}
  const signIn = completedSignIn({
    ...facts,
    experience,
    decision,
    outcome: decision.outcome,
    signedIn,
    userId,
  })
  return { kind: 'continues', redirectTo, cookies, userId, browser, signIn, passkeys }

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
 * Finishes the authorization, unless the user has just registered and the request names a resource. The provider would
 * not know the scopes of the user's roles, because they are not stored yet.
 */
async function finishWith({ row, accountRows, finish }: Facts, effects: SubmitEffects) {
  const { userId, user } = effects
  const isNew = !accountRows.some(({ id }) => id === userId)
  if (!user || (isNew && row.params.resource !== undefined)) return null
  return finish({ user, result: resultOf(row, effects) })
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
