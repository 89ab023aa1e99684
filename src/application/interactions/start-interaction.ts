import type { Refusal } from '../../contract/errors.ts'
import type {
  FactorPayload,
  IdentifierPayload,
  InteractionEvent,
  Profile,
} from '../../contract/interactions/identifiers.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { forbidsEvent, refusesIdentifier, refusesProfile } from '../../domain/experience/experience-rules.ts'
import { addProof, newInteraction } from '../../domain/interactions/interaction.ts'
import type { CountedAttempt, VerificationDependencies } from '../counted-attempt.ts'
import { isFactorPayload, proveFactor } from '../factors/prove-factor.ts'
import { type PasswordCheckDependencies, refuseNewPassword } from '../passwords/new-password.ts'
import { countNewPassword, rowCountingPassword } from '../passwords/new-password-limit.ts'
import type { InteractionCall } from './interaction-call.ts'
import { attemptVerification } from './verify-identifier.ts'

type InteractionStart = {
  event: InteractionEvent
  identifier?: IdentifierPayload | undefined
  profile?: Profile | undefined
}

/** PUT /interaction: begins, or begins again (spec/interaction#start). */
export async function startInteraction(
  dependencies: VerificationDependencies & PasswordCheckDependencies,
  call: InteractionCall,
  { event, identifier, profile }: InteractionStart,
): Promise<void> {
  const { tenantId, open, audit } = call
  const entry = audit.begin(`Interaction.${event}.Update`, { event, identifier, profile })
  const experience = await call.experience()
  const problem =
    forbidsEvent(experience, event) ??
    (identifier ? refusesIdentifier(experience, event, identifier) : null) ??
    (profile ? refusesProfile(experience, event, profile) : null)
  const [{ row, prove, limitRefusal }] = await Promise.all([
    attemptIfAllowed(dependencies, call, {
      ...{ event, payload: identifier, problem, newPassword: profile?.password },
    }),
    // The record that this one replaces may hold rows of the audit log.
    open.peek(),
  ])
  if (row.isConcluded) refuseWith('session.verification_session_not_found')
  orRefuse(problem)
  orRefuse(limitRefusal)
  if (profile?.password !== undefined)
    await refuseNewPassword(dependencies, { tenantId, password: profile.password, audit: entry })

  const proof = await prove?.(null)
  await open.save(newInteraction(event, { proof, profile, afterReset: row.reset }))
}

/** PATCH /interaction/identifiers (spec/interaction#proof). */
export async function proveIdentifier(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  payload: IdentifierPayload | FactorPayload,
): Promise<void> {
  if (isFactorPayload(payload)) return proveFactor(dependencies, call, payload)
  const { open, audit } = call
  const peeked = await open.peek()
  const event = peeked?.event
  const problem = peeked ? refusesIdentifier(await call.experience(), peeked.event, payload, peeked) : null
  const { row, prove } = await attemptIfAllowed(dependencies, call, { event, payload, problem })
  const before = await open.record(row)
  audit.begin(`Interaction.${before.event}.Update`, { identifier: payload })
  orRefuse(problem)

  const proof = await prove?.(before)
  if (proof) await open.save(addProof(before, proof))
}

type PossibleAttempt = {
  event: InteractionEvent | undefined
  payload: IdentifierPayload | undefined
  problem: Refusal | null
  newPassword?: string | undefined
}

/** An attempt is counted, and so is a new password: what the settings refuse is not attempted. */
async function attemptIfAllowed(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { event, payload, problem, newPassword }: PossibleAttempt,
): Promise<Pick<CountedAttempt, 'row'> & Partial<CountedAttempt> & { limitRefusal: Refusal | null }> {
  if (!event || !payload || problem)
    return rowCountingPassword(dependencies, call, problem ? undefined : newPassword)
  const attempt = await attemptVerification(dependencies, call, { payload, event })
  const limitRefusal = newPassword === undefined ? null : await countNewPassword(dependencies, call)
  return { ...attempt, limitRefusal }
}
