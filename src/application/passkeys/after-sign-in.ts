import type {
  Passkey,
  PasskeyAbility,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeysAfterSubmit,
} from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { SecondFactorFacts } from '../../domain/factors/second-factor.ts'
import {
  allowedCreations,
  describeRegistration,
  describeSignIn,
  mayCreatePasskey,
  NO_OFFERS,
} from '../../domain/passkeys/passkey-offer.ts'
import { listAcceptedPasskeys } from '../../domain/passkeys/passkeys.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import { checkVerification } from '../../domain/sessions/verification.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf, type Condition } from '../../storage/conditions.ts'
import { hasNoOtherTotp } from '../../storage/factors/factors.ts'
import { isNotEnded } from '../../storage/interactions/oidc-models.ts'
import { loginUserId, userQuery } from '../../storage/interactions/oidc-reads.ts'
import { claimSingleUse } from '../../storage/interactions/single-use.ts'
import { passkeyCreationKey, passkeyCreationQueries } from '../../storage/passkeys/passkey-creation.ts'
import { deferPasskeyOffer, type PasskeyOwnerRow } from '../../storage/passkeys/passkey-offers.ts'
import { isUnrevoked, toAccount, type UserRow } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'
import { userFactorFacts } from '../sessions/step-up.ts'
import { CHALLENGE_LIFETIME, conditionalCreationLabel, unsealChallenge } from './challenge.ts'
import { addPasskey, createPasskeyCreationOptions, type PasskeyDependencies } from './create.ts'

type Submitted = {
  row: OidcInteraction
  userId: string
  abilities: readonly PasskeyAbility[]
  amr: readonly string[]
  /** The users before the submission, so a user who has just registered is not included. */
  users: readonly UserRow[]
  owners: readonly PasskeyOwnerRow[]
  secondFactor: SecondFactorFacts
}

/**
 * Returns the passkey operations that the browser may perform after completing the sign-in and before returning to the
 * application, or undefined if there are none (spec/interaction#submit-passkeys).
 */
export async function readPasskeysAfterSubmit(
  { tenantSettings, now }: Pick<Dependencies, 'tenantSettings' | 'now'>,
  tenantId: string,
  { row, userId, abilities, amr, users, owners, secondFactor }: Submitted,
): Promise<PasskeysAfterSubmit | undefined> {
  if (abilities.length === 0) return undefined
  const { enabled, rpId, offer } = (await tenantSettings.get(tenantId)).passkeys
  if (!enabled || rpId === null) return undefined
  const user = users.find(({ id }) => id === userId)
  const owner = owners.find((each) => each.userId === userId)
  const proven = { amr, request: row.params }
  const signIn = user
    ? describeSignIn(toAccount(user), secondFactor, proven)
    : describeRegistration(userId, secondFactor, proven)
  const creations = offer ? allowedCreations(signIn, owner ?? NO_OFFERS, { abilities, now: now() }) : []
  const hasSignal = abilities.includes('signals') && user && owner
  if (creations.length === 0 && !hasSignal) return undefined
  return { creations, ...(hasSignal && { accepted: listAcceptedPasskeys(rpId, user, owner.credentialIds) }) }
}

/**
 * Returns the creation options, for POST /interaction/passkeys/options. A completed sign-in allows its user to create
 * one passkey (ADR-0083).
 */
export async function createOptionsAfterSignIn(
  dependencies: PasskeyDependencies,
  call: InteractionCall,
  creation: PasskeyCreation,
) {
  const { owner, present, requires } = await finishedSignIn(dependencies, call)
  requires(creation)
  const isConditional = creation === 'conditional'
  return createPasskeyCreationOptions(
    dependencies,
    { ...owner, isConditional },
    { present, purpose: 'signIn' },
  )
}

/** Stores a passkey that the browser has created, and returns its name, for POST /interaction/passkeys. */
export async function addPasskeyAfterSignIn(
  dependencies: PasskeyDependencies,
  call: InteractionCall,
  attestation: PasskeyAttestation,
): Promise<Pick<Passkey, 'name'>> {
  const audit = call.audit.begin('Interaction.Passkey.Create')
  const { owner, isFinished, key, requires } = await finishedSignIn(dependencies, call)
  const { tenantId, user } = owner
  audit.add({ userId: user.id })
  // The challenge's label shows whether the browser created the passkey without asking the user.
  const label = conditionalCreationLabel(tenantId, user.id, owner.place)
  const isConditional = (await unsealChallenge(dependencies, label, attestation.response)) !== null
  const condition = allOf(isFinished, requires(isConditional ? 'conditional' : 'offer'))
  const expiresAt = dependencies.now() + CHALLENGE_LIFETIME
  const use = claimSingleUse(dependencies.db, { ...passkeyCreationKey(key), payload: {}, expiresAt })
  const { origin, message, background } = call
  const addition = { attestation, origin, condition, use, audit, message, background }
  const { name } = await addPasskey(dependencies, { ...owner, isConditional }, addition)
  return { name }
}

/** Puts off the passkey offer, for POST /interaction/passkeys/put-off. */
export async function deferPasskey(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  call: InteractionCall,
): Promise<void> {
  const audit = call.audit.begin('Interaction.Passkey.PutOff')
  const { owner, isFinished } = await finishedSignIn(dependencies, call)
  const { tenantId, user } = owner
  await commitChange(dependencies.db, {
    tenantId,
    condition: isFinished,
    audit: audit.success({ userId: user.id }),
    statements: {
      offer: deferPasskeyOffer(
        dependencies.db,
        { tenantId, userId: user.id },
        isFinished,
        dependencies.now(),
      ),
    },
  })
}

/**
 * Reads a completed sign-in from which the browser has not returned to the application yet (ADR-0083): the interaction
 * has a login, and the browser still has its cookie. For ten minutes, such a sign-in is accepted as step-up
 * verification. `isFinished` is the same check as a condition for a batch.
 */
async function finishedSignIn(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  { tenantId, open }: InteractionCall,
) {
  const { db, now, tenantSettings } = dependencies
  const key = { tenantId, modelName: 'Interaction', id: open.uid }
  const { row, results } = await open.readWith({
    users: userQuery(db, tenantId, loginUserId(key)),
    ...passkeyCreationQueries(db, key, open.clientId),
  })
  const settings = await tenantSettings.get(tenantId)
  if (!settings.passkeys.offer) refuseWith('user.sign_in_method_not_enabled')
  const { login, params: request } = row
  const [user] = results.users
  const isOver =
    !login ||
    !user ||
    isRevoked(user, { madeAt: login.ts, exemptedAt: undefined }) ||
    checkVerification(login.ts * 1000, now())
  if (isOver) return refuseWith('session.verification_session_not_found')
  return {
    key,
    present: results.passkeys,
    owner: { tenantId, user, place: `interaction/${open.uid}` },
    isFinished: allOf(isNotEnded(key), isUnrevoked(tenantId, user)),
    /**
     * Throws if the passkey would not be offered (spec/accounts#passkey-offer). Otherwise, returns the condition under
     * which it is still offered when the batch runs.
     */
    requires(creation: PasskeyCreation): Condition {
      // The user has already created a passkey in this sign-in, so the batch rejects another one.
      if (results.used.length > 0) return ALWAYS_TRUE
      const signIn = describeSignIn(toAccount(user), userFactorFacts(settings, results), {
        amr: login.amr,
        request,
      })
      const credentialIds = results.passkeys.map(({ id }) => id)
      if (!mayCreatePasskey(creation, signIn, { credentialIds })) refuseWith('auth.forbidden')
      const hasApp = results.holdings.some(({ totp }) => totp)
      return hasApp ? ALWAYS_TRUE : hasNoOtherTotp({ tenantId, userId: user.id }, null)
    },
  }
}
