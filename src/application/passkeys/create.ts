import { refuse } from '../../contract/errors.ts'
import {
  CEREMONY_TIMEOUT_MS,
  MAX_PASSKEYS,
  PASSKEY_ALGORITHMS,
  type Passkey,
  type PasskeyAttestation,
  type PasskeyPurpose,
} from '../../contract/passkeys/passkeys.ts'
import { RefusalError, refuseWith } from '../../contract/refused.ts'
import { passkeyUser, refusePasskey } from '../../domain/passkeys/passkeys.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange, commitRepeatable } from '../../storage/commit.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import { modelQuery } from '../../storage/interactions/oidc-models.ts'
import type { SingleUse } from '../../storage/interactions/single-use.ts'
import {
  existingPasskeysQuery,
  insertPasskeyIf,
  mayAddPasskey,
  type NewPasskey,
  passkeyExists,
  passkeysQuery,
} from '../../storage/passkeys/passkeys.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { OwnCall } from '../account/own-call.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { dispatchNotifications, passkeyAddedEvents } from '../hooks/events.ts'
import { requireCurrentProof } from '../sessions/step-up.ts'
import {
  conditionalCreationLabel,
  createChallenge,
  creationLabel,
  securityKeyCreationLabel,
  unsealChallenge,
} from './challenge.ts'

export type PasskeyDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'tenantSettings' | 'experience' | 'deliveries'
>

/**
 * The user for whom a passkey is created. `place` identifies the grant or interaction in which the user was verified;
 * challenges from any other grant or interaction are rejected. If `isConditional` is set, user presence and
 * verification may be missing (WebAuthn §5.1.3).
 */
type PasskeyOwner = { tenantId: string; user: UserRow; place: string; isConditional?: boolean }

const labels = { signIn: creationLabel, secondFactor: securityKeyCreationLabel }

/**
 * The authenticator selection for each purpose. A security key that serves as a second factor does not need to store
 * accounts or require a PIN.
 */
const selections = {
  signIn: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  conditional: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  secondFactor: { residentKey: 'discouraged', requireResidentKey: false, userVerification: 'discouraged' },
} as const

/**
 * Returns the options for creating a passkey. Authenticators that already have one of the `present` passkeys are
 * excluded.
 */
export async function createPasskeyCreationOptions(
  dependencies: Pick<Dependencies, 'now' | 'seals' | 'tenantSettings' | 'experience'>,
  { tenantId, user, place, isConditional = false }: PasskeyOwner,
  { present, purpose }: { present: readonly Passkey[]; purpose: PasskeyPurpose },
) {
  const labelFor = isConditional ? conditionalCreationLabel : labels[purpose]
  const rpId = await requirePasskeyDomain(dependencies, tenantId)
  if (present.length >= MAX_PASSKEYS) refuseWith('passkey.limit_reached', { max: MAX_PASSKEYS })
  const { branding } = await dependencies.experience.get(tenantId)
  return {
    challenge: await createChallenge(dependencies, labelFor(tenantId, user.id, place)),
    rp: { id: rpId, name: branding.name ?? rpId },
    user: passkeyUser(user),
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    excludeCredentials: toCredentialDescriptors(present),
    timeout: CEREMONY_TIMEOUT_MS,
    attestation: 'none' as const,
    authenticatorSelection: isConditional ? selections.conditional : selections[purpose],
  }
}

/** Returns the descriptors of passkeys in the format that browsers expect. */
export const toCredentialDescriptors = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ id, transports }) => ({ id, type: 'public-key' as const, transports }))

/** Returns the domain of the tenant's passkeys, or throws if passkeys are disabled. */
export async function requirePasskeyDomain(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
): Promise<string> {
  const { passkeys } = await tenantSettings.get(tenantId)
  return passkeys.enabled && passkeys.rpId !== null
    ? passkeys.rpId
    : refuseWith('user.sign_in_method_not_enabled')
}

/** A passkey to add for a user who has recently been verified (spec/accounts#passkey-creation). */
export type PasskeyAddition = Pick<OwnCall, 'message' | 'background'> & {
  attestation: PasskeyAttestation
  /** The origin of the page that created the passkey. */
  origin: string
  /** The condition that the user is still verified, checked in the batch. */
  condition: Condition
  /** Set if the verification allows only one passkey. */
  use?: SingleUse
  audit: AuditEntry
  /** The application that makes the request on the user's behalf, if any. */
  applicationId?: string | undefined
}

/** Stores a passkey that the browser has created. A challenge can be reused, but each passkey is stored only once. */
export async function addPasskey(
  dependencies: PasskeyDependencies,
  owner: PasskeyOwner,
  { attestation, origin, audit, applicationId, message, background, use, ...addition }: PasskeyAddition,
): Promise<Passkey> {
  const { db, now } = dependencies
  const { tenantId } = owner
  const { id: userId } = owner.user
  const row = await verifiedPasskey(dependencies, owner, { attestation, origin })
  const condition = use ? allOf(addition.condition, use.condition) : addition.condition
  const { credentialId: id, userId: _userId, publicKey: _publicKey, counter: _counter, ...facts } = row
  const entry = audit.success({ passkeyId: id })
  const context = { tenantId, userId, applicationId, message, entry, now: now() }
  // If the batch runs twice, only a single-use row can show which run inserted the passkey.
  const commit = use ? commitRepeatable : commitChange
  const { added, outboxIds } = await commit(db, {
    tenantId,
    condition: allOf(mayAddPasskey(tenantId, row), condition),
    audit: entry,
    outbox: passkeyAddedEvents({ ...facts, id, lastUsedAt: null }, context),
    statements: {
      added: insertPasskeyIf(db, tenantId, condition, row),
      use: use?.mark(allOf(use.condition, passkeyExists(tenantId, { userId, id }))),
    },
  })
  const passkey = added[0] ?? (await findAfterLostAnswer(dependencies, tenantId, row, { use, condition }))
  dispatchNotifications(dependencies, { tenantId, userId, outboxIds, background })
  return passkey
}

/** Verifies a passkey that the browser has created, and throws if it is invalid. */
async function verifiedPasskey(
  dependencies: Pick<Dependencies, 'now' | 'seals' | 'tenantSettings'>,
  { tenantId, user, place, isConditional = false }: PasskeyOwner,
  { attestation, origin }: { attestation: PasskeyAttestation; origin: string },
): Promise<NewPasskey> {
  const rpId = await requirePasskeyDomain(dependencies, tenantId)
  const opens = async (labelFor: typeof creationLabel) =>
    (await unsealChallenge(dependencies, labelFor(tenantId, user.id, place), attestation.response)) !== null
  const isSecondFactor = !isConditional && (await opens(securityKeyCreationLabel))
  if (!isSecondFactor && !(await opens(isConditional ? conditionalCreationLabel : creationLabel)))
    throw new RefusalError(refusePasskey('challenge'))
  const { verifyAttestation } = await import('../../outbound/passkeys/webauthn.ts')
  const created = await verifyAttestation(attestation, {
    origin,
    rpId,
    needsUserPresence: !isConditional,
    needsUserVerification: !isConditional && !isSecondFactor,
  })
  if (!created) throw new RefusalError(refusePasskey('signature'))
  const { transports = [] } = attestation.response
  return { ...created, userId: user.id, rpId, transports, createdAt: dependencies.now(), isSecondFactor }
}

/**
 * Finds the passkey after a batch that inserted nothing. A previous run of the batch, whose response was lost, may have
 * inserted it.
 */
async function findAfterLostAnswer(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  { credentialId, userId, createdAt }: NewPasskey,
  { use, condition }: { use: SingleUse | undefined; condition: Condition },
): Promise<Passkey> {
  // For a signed-in user, the only possible reason is that the verification has expired since it was checked.
  if (!use) await requireCurrentProof({ db }, condition)
  const { own, existing, used } = await readTogether(db, {
    own: use ? [passkeysQuery(db, tenantId, userId)] : [],
    existing: existingPasskeysQuery(db, tenantId, [credentialId]),
    used: use ? [modelQuery(db, use.key)] : [],
  })
  const added = own.find((passkey) => passkey.id === credentialId && passkey.createdAt === createdAt)
  if (added) return added
  if (existing.length > 0) throw new RefusalError(refuse('passkey.already_registered'))
  throw new RefusalError(used.length > 0 ? refusePasskey('challenge') : refuse('request.changed_meanwhile'))
}
