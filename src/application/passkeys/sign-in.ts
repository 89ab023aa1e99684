import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import { CEREMONY_TIMEOUT_MS, type PasskeyAssertion } from '../../contract/passkeys/passkeys.ts'
import { RefusalError, refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { checkAuthenticatorData, refusePasskey, toUserHandle } from '../../domain/passkeys/passkeys.ts'
import { commitRepeatable, notAudited } from '../../storage/commit.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { claimSingleUse } from '../../storage/interactions/single-use.ts'
import { passkeyQuery, recordPasskeyUse, type StoredPasskey } from '../../storage/passkeys/passkeys.ts'
import {
  type CountedAttempt,
  createTenantAttemptLimiter,
  type VerificationDependencies,
} from '../attempts.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import {
  CHALLENGE_LIFETIME,
  createChallenge,
  secondFactorLabel,
  signInLabel,
  unsealChallenge,
} from './challenge.ts'

type SignInCall = Pick<InteractionCall, 'tenantId' | 'open' | 'experience'>

/**
 * Returns the options with which a browser requests a passkey. They require neither the database nor the WebAuthn
 * library (spec/accounts#passkey-challenges).
 */
export async function createPasskeyRequestOptions(
  dependencies: Pick<Dependencies, 'seals' | 'now' | 'tenantSettings'>,
  { tenantId, open, experience }: SignInCall,
) {
  const { passkeys } = await dependencies.tenantSettings.get(tenantId)
  if (!(await experience()).passkeys || passkeys.rpId === null)
    return refuseWith('user.sign_in_method_not_enabled')
  return {
    challenge: await createChallenge(dependencies, signInLabel(tenantId, open.uid)),
    rpId: passkeys.rpId,
    timeout: CEREMONY_TIMEOUT_MS,
    userVerification: 'required' as const,
  }
}

type PasskeyAttempt = { event: InteractionEvent; assertion: PasskeyAssertion }

/**
 * Attempts a sign-in with a passkey. The passkey is read in the round trip that reads the interaction, and its use is
 * recorded in another (spec/accounts#passkey-verification).
 */
export async function attemptPasskey(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { event, assertion }: PasskeyAttempt,
): Promise<CountedAttempt> {
  const { open, tenantId, ip, origin, audit, background } = call
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const { now } = attempts.circumstances
  const { row, results } = await open.readWith({
    passkeys: passkeyQuery(dependencies.db, tenantId, assertion.id),
    consumed: attempts.count([{ limit: 'passkeyTriesPerNetwork', ip }]),
  })
  const {
    passkeys: [passkey],
    consumed,
  } = results
  return {
    row,
    async prove() {
      const entry = audit.begin(`Interaction.${event}.Identifier.Passkey.Submit`, {}, { isCounted: true })
      throwIfRefused(attempts.refusal(consumed))
      if (!passkey) refuseWith('passkey.not_found')
      entry.add({ userId: passkey.userId, passkeyId: passkey.credentialId })
      const ceremony = { tenantId, uid: open.uid, origin, isSecondFactor: false }
      const proof = await acceptPasskey(dependencies, ceremony, { passkey, assertion, now })
      background(() => attempts.refund(consumed))
      if (passkey.isSuspended) refuseWith('user.suspended')
      return proof
    },
  }
}

type SignedPasskey = { passkey: StoredPasskey; assertion: PasskeyAssertion; now: number }

type PasskeyCeremony = {
  tenantId: string
  uid: string
  origin: string
  /**
   * True if the passkey is used after another proof. The challenge then has a different label, and user presence
   * without verification is enough.
   */
  isSecondFactor: boolean
}

/** Verifies a passkey's signature and records its use. */
export async function acceptPasskey(
  dependencies: Pick<VerificationDependencies, 'db' | 'seals' | 'now'>,
  { tenantId, uid, origin, isSecondFactor }: PasskeyCeremony,
  { passkey, assertion, now }: SignedPasskey,
) {
  const { db } = dependencies
  const { response } = assertion
  const label = isSecondFactor ? secondFactorLabel : signInLabel
  const { userId, rpId, publicKey, provenance } = passkey
  const opened = await unsealChallenge(dependencies, label(tenantId, uid), response)
  if (opened === null) throw new RefusalError(refusePasskey('challenge'))
  const { userHandle } = response
  // WebAuthn §7.2 requires a user handle if the passkey identifies the user, so without one a passkey can only be a
  // second factor. An imported passkey has a handle assigned by the previous product, which is unknown and therefore
  // not compared. The signature does not cover the handle.
  const isOfUser =
    userHandle === undefined ? isSecondFactor : provenance !== null || userHandle === toUserHandle(userId)
  const { verifyAssertion } = await import('../../outbound/passkeys/webauthn.ts')
  const verified = isOfUser ? await verifyAssertion(assertion, { origin, rpId, publicKey }) : null
  if (!verified) throw new RefusalError(refusePasskey('signature'))
  const isBackupEligible = provenance === 'importedWithoutFlags' ? null : passkey.isBackupEligible
  if (passkey.isSecondFactor && !isSecondFactor) throw new RefusalError(refusePasskey('secondFactor'))
  throwIfRefused(
    checkAuthenticatorData({ counter: passkey.counter, isBackupEligible }, verified, {
      needsUser: !isSecondFactor,
    }),
  )

  const use = claimSingleUse(db, {
    tenantId,
    modelName: 'PasskeyChallenge',
    id: await sha256Base64Url(opened.challenge),
    payload: {},
    expiresAt: now + CHALLENGE_LIFETIME,
  })
  const { condition } = use
  const id = passkey.credentialId
  const { used } = await commitRepeatable(db, {
    tenantId,
    audit: notAudited('the attempt is audited, not the use of its passkey'),
    statements: {
      used: recordPasskeyUse(db, tenantId, { userId, id }, { ...verified, now, condition }),
      challenge: use.mark(condition),
    },
  })
  if (used.length === 0) throw new RefusalError(refusePasskey('challenge'))
  const { isBackedUp } = verified
  // A security key that was created as a second factor never provides user verification, because anyone who finds it
  // could set its PIN (spec/accounts#security-keys).
  const isUserVerified = verified.isUserVerified && !passkey.isSecondFactor
  // An assertion may be sent long after it was created. The proof therefore has the time at which the challenge was
  // issued (ADR-0143).
  const provenAt = opened.issuedAt
  return { kind: 'passkey' as const, userId, provenAt, credentialId: id, isUserVerified, isBackedUp }
}
