import { type Refusal, refuse } from '../../contract/errors.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { PasskeyAbility, PasskeysAfterSubmit } from '../../contract/passkeys/passkeys.ts'
import { orRefuse, RefusalError, refuseWith } from '../../contract/refused.ts'
import { isAdaptive, isNeverRemembered, risksOf } from '../../domain/factors/second-factor-policy.ts'
import { authenticationOf } from '../../domain/interactions/authentication.ts'
import { type Decision, decideSubmit, withCountedProofs } from '../../domain/interactions/submit.ts'
import { agreeToTerms, newAgreementOf } from '../../domain/interactions/terms.ts'
import { cutText } from '../../domain/log-bounds.ts'
import { type Remembrance, remembranceOf } from '../../domain/sessions/remembered-browser.ts'
import { listStatements } from '../../storage/batches.ts'
import { concludeInteraction, isInteractionOpen } from '../../storage/interactions/conclusions.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { rethrowAsConflict } from '../account/uniqueness-refusal.ts'
import { refuseAboveAccountLimit } from '../account-limit.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeReplacedPicture } from '../experience/remove-uploads.ts'
import { passkeysAfter } from '../passkeys/after-sign-in.ts'
import { newBrowser } from '../sessions/trusted-browsers.ts'
import { type Identity, identityLink } from '../social/identity-link.ts'
import type { SubmitEffects } from './effect.ts'
import type { InteractionCall } from './interaction-call.ts'
import { effectsOf, outboxEventsOf, sendOutbox } from './submit-effects.ts'
import { type ReadSubmitFacts, readSubmitFacts } from './submit-facts.ts'

/** A connector that is no longer offered when the user submits links no identity and signs in no one. */
const offeredOf = <Target>({ socialConnectors }: Experience, targets: Record<string, Target>) =>
  Object.fromEntries(
    Object.entries(targets).filter(([connectorId]) => socialConnectors.some(({ id }) => id === connectorId)),
  )

/** That the browser stood for the second factor, or will. */
const browserAudit = ({ outcome }: Decision, remembrance: Remembrance | null) => ({
  ...(remembrance && { rememberedUntil: remembrance.until }),
  ...(outcome.kind === 'signIn' && outcome.factor?.kind === 'remembered' && { isBrowserRemembered: true }),
})

/** Backup codes go without being named: they stand in for the app. */
const auditOfRemoval = ({ removed }: SubmitEffects) =>
  removed && {
    ...(removed.passkeys.length > 0 && { removedPasskeys: removed.passkeys }),
    ...(removed.identities.length > 0 && { unlinkedIdentities: removed.identities }),
    ...(removed.hasTotp && { removedFactors: ['totp'] }),
    ...(removed.address && { removedAddress: removed.address }),
  }

type SubmitDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'settings' | 'social' | 'tenantSettings' | 'deliveries' | 'network' | 'floodLimits'
>

export type Submitted =
  | { kind: 'reset' }
  | {
      kind: 'onward'
      redirectTo: string
      userId: string
      browser: TrustedBrowser
      passkeys?: PasskeysAfterSubmit | undefined
    }

/**
 * What is stated with a submit: by the user (spec/interaction#agreement, spec/accounts#put-off, spec/accounts#remembered-browser),
 * and of the browser.
 */
type Statement = {
  agreesToTerms: boolean
  putsOffSecondFactor: boolean
  remembersBrowser: boolean | undefined
  passkeyAbilities: readonly PasskeyAbility[]
}

/** POST /interaction/submit: one batch of facts, one decision, one batch of effects (spec/interaction#submit). */
export async function submitInteraction(
  dependencies: SubmitDependencies,
  call: InteractionCall,
  stated: Statement,
): Promise<Submitted> {
  // Before anything is read: a sign-in is not dated later than the facts it was decided on (spec/accounts#revocation).
  const at = dependencies.now()
  const found = await readSubmitFacts(dependencies, call, stated.passkeyAbilities.length > 0)
  try {
    const submitted = await submitFound(dependencies, call, { ...found, ...stated, at })
    call.background(() => found.refund('accepted'))
    return submitted
  } catch (error) {
    if (error instanceof RefusalError) call.background(() => found.refund('refused'))
    throw error
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
    putsOffSecondFactor,
    remembersBrowser,
    rememberRule,
    passkeyAbilities,
    ...found
  }: ReadSubmitFacts & Statement & { at: number },
): Promise<Submitted> {
  const { open, tenantId, audit } = call
  const stored = await open.record(row)
  const entry = audit.begin(`Interaction.${stored.event}.Submit`, stored)

  orRefuse(limitRefusal)
  const experience = await call.experience()
  const agreed = agreeToTerms(stored, experience, { isStated: agreesToTerms, now: at })
  const wishes = {
    ...(remembersBrowser !== undefined && { remembersBrowser }),
    ...(putsOffSecondFactor && { putsOffSecondFactor }),
  }
  const hasWishes = Object.keys(wishes).length > 0
  const interaction = hasWishes ? { ...agreed, ...wishes } : agreed
  const targets = offeredOf(experience, found.targets)
  const decision = decideSubmit(interaction, { ...found, experience, targets })
  const signedIn = found.accounts.find(({ id }) => id === decision.interaction.accountId)
  const risks = signedIn ? risksOf(signedIn, found.secondFactor) : []
  if (signedIn) entry.add({ userId: signedIn.id, ...(risks.length > 0 && { risks }) })
  if ('code' in decision.outcome) return refusePinned(decision.outcome)
  if (signedIn) {
    const { id: userId } = signedIn
    // Whoever knows the password must not use up the resets of its owner.
    const counter = decision.outcome.kind === 'resetPassword' ? 'reset' : 'sign-in'
    await refuseAboveAccountLimit(dependencies, counter, { tenantId, userId, ip: call.ip })
  }

  const condition = isInteractionOpen(tenantId, open.uid, row.reset, dependencies.now())
  const userAgent = call.userAgent ? cutText(call.userAgent) : null
  const remembrance = remembranceOf(decision.outcome, {
    isWished: interaction.remembersBrowser === true,
    rememberDays: isNeverRemembered(signedIn ?? null, found.secondFactor) ? 0 : rememberRule.days,
    at,
  })
  const connectorId = interaction.profile?.connectorId
  // What is remembered needs an id that no earlier copy of the cookie has.
  const former = remembrance === null ? null : found.browser
  const browser = { ...(found.browser ?? newBrowser()), ...(former && { id: newBrowser().id }) }
  const signsInWith = { browserId: browser.id, former, userAgent, remembrance }
  const context = {
    ...{ tenantId, condition, at, accounts: accountRows, additions: found.additions },
    ...{ defaultRoles, signsInWith, rememberRule },
    authentication: authenticationOf(
      withCountedProofs(decision.interaction, decision.outcome),
      found.secondFactor.factors,
    ),
    newAgreement: newAgreementOf(interaction, experience),
    deferral: { interactionId: open.uid, most: found.secondFactor.maxDeferrals },
    linkTo: (userId: string, target: string, identity: Identity) =>
      identityLink(
        { tenantId, userId, applicationId: row.clientId, message: call.message, now: at },
        { target, identity, audit: audit.begin('Account.Identity.Create', { connectorId }) },
      ),
    placeFor: (id: string | null) =>
      isAdaptive(id === null ? null : { id }, found.secondFactor) ? call.place() : null,
  }
  const effects = await effectsOf(dependencies, context, decision.outcome)
  if (effects === 'samePassword') return refusePinned(refuse('user.same_password'))
  const isReset = 'reset' in effects.result
  const submit = entry.success({
    userId: effects.userId,
    termsAgreement: effects.termsAgreement,
    ...auditOfRemoval(effects),
    ...browserAudit(decision, remembrance),
  })
  const account = accountRows.find(({ id }) => id === effects.userId)

  const outbox = outboxEventsOf(dependencies, call, { interaction, row, effects })
  const concluded = await concludeInteraction(dependencies.db, {
    tenantId,
    uid: open.uid,
    result: isReset ? effects.result : { ...row.lastSubmission, ...effects.result },
    condition: effects.condition ?? condition,
    preconditions: [
      // A revocation between the decision and the batch has ended the proofs of the submit.
      ...(account
        ? [{ condition: isUnrevoked(tenantId, account), code: 'session.verification_failed' as const }]
        : []),
      ...(effects.link ? [effects.link.precondition] : []),
    ],
    statements: { replaced: effects.picture?.replaced, effects: listStatements(effects.statements) },
    audit: [submit, ...(effects.link ? [effects.link.audit] : []), ...(await open.takeHeldLogs())],
    outbox,
  }).catch(rethrowAsConflict)
  if (!concluded) refuseWith('session.verification_session_not_found')
  sendOutbox(dependencies, call, effects, concluded.outboxIds)
  const { replaced } = concluded
  if (replaced.length > 0) {
    const owner = { tenantId, userId: effects.userId }
    const { avatar } = effects.picture ?? {}
    call.background(() => removeReplacedPicture(dependencies, { ...owner, replaced, avatar }))
  }

  await open.conclude({ isOver: !isReset })
  if (isReset) return { kind: 'reset' }
  const passkeys = await passkeysAfter(dependencies, call, {
    ...{ row, userId: effects.userId, abilities: passkeyAbilities, amr: context.authentication.amr },
    ...{ users: accountRows, owners: found.passkeyOwners, secondFactor: found.secondFactor },
  })
  return { kind: 'onward', redirectTo: row.returnTo, userId: effects.userId, browser, passkeys }

  /** Pins the account, and keeps what was stated in words, even if the submit is refused (spec/interaction#pinned-account). */
  async function refusePinned(refusal: Refusal): Promise<never> {
    const kept = agreesToTerms || hasWishes ? stored : interaction
    if (decision.interaction !== kept) await open.saveRefused(decision.interaction)
    throw new RefusalError(refusal)
  }
}
