import type { Refusal } from '../../contract/errors.ts'
import type {
  FactorPayload,
  IdentifierPayload,
  InteractionEvent,
  Profile,
} from '../../contract/interactions/identifiers.ts'
import type { Proof } from '../../contract/interactions/interaction.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import { checkIdentifier, checkProfile, forbidsEvent } from '../../domain/experience/experience-rules.ts'
import { addProof, createInteraction } from '../../domain/interactions/interaction.ts'
import { counterName } from '../../domain/limits.ts'
import type { NameLookup } from '../../storage/counter-keys.ts'
import { enforceAccountLimit } from '../account-limit.ts'
import type { CountedAttempt, VerificationDependencies } from '../attempts.ts'
import { attemptCode } from '../codes/verify.ts'
import { isFactorPayload, proveFactor } from '../factors/prove.ts'
import { attemptPasskey } from '../passkeys/sign-in.ts'
import {
  countNewPassword,
  type PasswordCheckDependencies,
  readRowAndCountPasswordAttempt,
  refuseNewPassword,
} from '../passwords/new-password.ts'
import { attemptPassword } from '../passwords/verify.ts'
import { attemptSocialSignIn, trySignInWithSocialAddress } from '../social/sign-in.ts'
import type { InteractionCall } from './interaction-call.ts'

type InteractionStart = {
  event: InteractionEvent
  identifier?: IdentifierPayload | undefined
  profile?: Profile | undefined
}

/** Starts or restarts an interaction, for PUT /interaction (spec/interaction#start). */
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
    (identifier ? checkIdentifier(experience, event, identifier) : null) ??
    (profile ? checkProfile(experience, event, profile) : null)
  const [{ row, prove, limitRefusal }] = await Promise.all([
    attemptIfAllowed(dependencies, call, {
      event,
      payload: identifier,
      problem,
      newPassword: profile?.password,
    }),
    // Keep the audit rows that the replaced record contains.
    open.peek(),
  ])
  if (row.isConcluded) refuseWith('session.verification_session_not_found')
  throwIfRefused(problem)
  throwIfRefused(limitRefusal)
  if (profile?.password !== undefined)
    await refuseNewPassword(dependencies, { tenantId, password: profile.password, audit: entry })

  const proof = await prove?.(null)
  await open.save(createInteraction(event, { proof, profile, afterReset: row.reset }))
}

/** Verifies an identifier or a second factor, for PATCH /interaction/identifiers (spec/interaction#proof). */
export async function proveIdentifier(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  payload: IdentifierPayload | FactorPayload,
): Promise<void> {
  if (isFactorPayload(payload)) return proveFactor(dependencies, call, payload)
  const { open, audit } = call
  const stored = await open.peek()
  const event = stored?.event
  const problem = stored ? checkIdentifier(await call.experience(), stored.event, payload, stored) : null
  const { row, prove } = await attemptIfAllowed(dependencies, call, { event, payload, problem })
  const before = await open.record(row)
  audit.begin(`Interaction.${before.event}.Update`, { identifier: payload })
  throwIfRefused(problem)

  const proof = await prove?.(before)
  if (proof) await open.save(addProof(before, proof))
}

type PossibleAttempt = {
  event: InteractionEvent | undefined
  payload: IdentifierPayload | undefined
  problem: Refusal | null
  newPassword?: string | undefined
}

/**
 * Counts the attempt before it is made, and also the new password if there is one. Nothing is counted if the settings
 * reject the request.
 */
async function attemptIfAllowed(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { event, payload, problem, newPassword }: PossibleAttempt,
): Promise<Pick<CountedAttempt, 'row'> & Partial<CountedAttempt> & { limitRefusal: Refusal | null }> {
  if (!event || !payload || problem)
    return readRowAndCountPasswordAttempt(dependencies, call, problem ? undefined : newPassword)
  const attempt = await attemptVerification(dependencies, call, { payload, event })
  const limitRefusal = newPassword === undefined ? null : await countNewPassword(dependencies, call)
  return { ...attempt, limitRefusal }
}

/** The identifier to verify, and the event for which it is verified. */
type VerificationAttempt = { payload: IdentifierPayload; event: InteractionEvent }

/**
 * Attempts to verify an identifier. The attempt is counted in the round trip that reads the interaction
 * (spec/interaction#verification).
 */
const attemptVerification = async (
  dependencies: VerificationDependencies,
  call: InteractionCall,
  attempt: VerificationAttempt,
): Promise<CountedAttempt> =>
  withProofLimit(dependencies, call, await attemptByKind(dependencies, call, attempt))

function attemptByKind(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { payload, event }: VerificationAttempt,
): Promise<CountedAttempt> {
  if ('password' in payload) {
    return attemptPassword(dependencies, call, { event, name: nameIn(payload), password: payload.password })
  }
  if ('verificationCode' in payload) {
    const { verificationCode: code } = payload
    return attemptCode(dependencies, call, { event, address: extractAddress(payload), code })
  }
  if ('passkey' in payload) return attemptPasskey(dependencies, call, { event, assertion: payload.passkey })
  if ('connectorData' in payload) return attemptSocialSignIn(dependencies, call, payload)
  return trySignInWithSocialAddress(call, payload)
}

function nameIn(payload: Extract<IdentifierPayload, { password: string }>): NameLookup {
  if ('username' in payload) return { by: 'username', value: payload.username }
  if ('email' in payload) return { by: 'email', value: payload.email }
  return { by: 'phone', value: payload.phone }
}

/** Returns the email address or phone number in a payload. */
export function extractAddress(payload: { email: string } | { phone: string }): VerifiedAddress {
  return 'email' in payload
    ? { type: 'email', value: payload.email }
    : { type: 'phone', value: payload.phone }
}

/**
 * Also counts successful proofs (spec/limits#account-floods), because after its first proof an interaction writes rows
 * that are kept for more than an hour.
 */
const withProofLimit = (
  dependencies: Pick<VerificationDependencies, 'floodLimits'>,
  { tenantId, ip }: Pick<InteractionCall, 'tenantId' | 'ip'>,
  attempt: CountedAttempt,
): CountedAttempt => ({
  ...attempt,
  async prove(interaction) {
    const proof = await attempt.prove(interaction)
    await enforceAccountLimit(dependencies, 'proof', { tenantId, userId: ownerOf(proof), ip })
    return proof
  },
})

/**
 * Returns the id under which an account's proofs are counted. Until a submission has looked up the account, its address
 * or its identity at the provider is used instead.
 */
function ownerOf(proof: Proof): string {
  if ('userId' in proof) return proof.userId
  if (proof.kind === 'social') return JSON.stringify([proof.connectorId, proof.profile.id])
  return counterName({ type: proof.kind, value: proof.value })
}
