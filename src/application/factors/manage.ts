import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { MINUTE } from '../../contract/time.ts'
import type { EnrolledFactors } from '../../domain/factors/second-factor.ts'
import { refuseOldProof } from '../../domain/sessions/verification.ts'
import { isOperator } from '../../storage/access/administration.ts'
import type { Statements } from '../../storage/batches.ts'
import { commitChange, type OutboxEvents } from '../../storage/commit.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import {
  conditionQuery,
  createBackupCodes,
  deleteBackupCodesIf,
  deleteTotpIf,
  type FactorOwner,
  replaceBackupCodesIf,
  replaceTotpIf,
  totpLabel,
} from '../../storage/factors/factors.ts'
import { hasAddedPolicy } from '../../storage/factors/second-factor-policies.ts'
import { findMatchingTotpStep } from '../../storage/factors/totp.ts'
import type { SealLabel } from '../../storage/seal.ts'
import { forgetRememberedBrowsersIf, isUnrevoked, type UserRow } from '../../storage/users/users.ts'
import type { OwnCall } from '../account/own-call.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  type AccountEventContext,
  backupCodesRenewedEvents,
  dispatchNotifications,
  totpRemovedEvents,
  totpReplacedEvents,
} from '../hooks/events.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { readStepUp, requireStepUp } from '../sessions/step-up.ts'
import { createTotpSetup, type TotpSetup, totpAccountName } from './enrol.ts'

/** Lets signed-in users manage their second factors (spec/accounts#factor-changes). */
export type FactorDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'tenantSettings' | 'experience' | 'deliveries'
>

export type FactorChange = OwnCall & { tenantId: string; signedIn: SignedInUser; audit: AuditEntry }

/** Replaces the backup codes and returns the new ones. */
export async function renewOwnBackupCodes(
  dependencies: FactorDependencies,
  change: FactorChange,
): Promise<string[]> {
  const { db, now, seals } = dependencies
  const { codes, digests } = await createBackupCodes(seals, change.tenantId)
  await changeFactors(dependencies, change, {
    requires: ({ totp, passkeys }) => totp || passkeys > 0,
    statementsOf: (owner, condition) => ({
      codes: replaceBackupCodesIf(db, owner, condition, { digests, now: now() }),
    }),
    eventsOf: backupCodesRenewedEvents,
  })
  return codes
}

/** Removes the authenticator app and the backup codes. */
export async function removeOwnFactors(
  dependencies: FactorDependencies,
  change: FactorChange,
): Promise<void> {
  const { db } = dependencies
  await changeFactors(dependencies, change, {
    requires: ({ totp, backupCodes }) => totp || backupCodes > 0,
    statementsOf: (owner, condition) => ({
      codes: deleteBackupCodesIf(db, owner, condition),
      totp: deleteTotpIf(db, owner, condition),
    }),
    eventsOf: totpRemovedEvents,
  })
}

/** Starts setting up an authenticator app. */
export async function beginOwnTotpEnrolment(
  dependencies: FactorDependencies,
  { tenantId, signedIn, message }: Omit<FactorChange, 'audit'>,
): Promise<TotpEnrolment> {
  const { db, tenantSettings } = dependencies
  const { secondFactor, administratorsNeedSecondFactor } = await tenantSettings.get(tenantId)
  const isAsked = secondFactor.policy !== 'off' || (await hasAddedPolicy(db, tenantId))
  const isAccepted =
    secondFactor.factors.includes('totp') ||
    (administratorsNeedSecondFactor &&
      (await conditionQuery(db, isOperator(tenantId, signedIn.user.id))).length > 0)
  if (!isAsked || !isAccepted) refuseWith('user.sign_in_method_not_enabled')
  await requireStepUp(dependencies, tenantId, signedIn)
  return createTotpEnrolment(dependencies, { tenantId, user: signedIn.user, host: message.host })
}

/** Adds an authenticator app. It replaces the previous app and its backup codes. */
export async function addOwnTotp(
  dependencies: FactorDependencies,
  { enrolment, totpCode, ...change }: FactorChange & { enrolment: string; totpCode: string },
): Promise<string[]> {
  const { db, now, seals } = dependencies
  const { tenantId } = change
  const { id: userId } = change.signedIn.user
  const text = await openEnrolment(dependencies, { tenantId, userId }, enrolment)
  if (text === null) return refuseWith('session.verification_session_not_found')
  const step = await findMatchingTotpStep(text, totpCode, now())
  if (step === null) return refuseWith('session.invalid_second_factor')
  const { codes, digests } = await createBackupCodes(seals, tenantId)
  const secret = await seals.seal(totpLabel(tenantId, userId), text)
  await changeFactors(dependencies, change, {
    statementsOf: (owner, condition) => ({
      totp: replaceTotpIf(db, owner, condition, { secret, step, now: now() }),
      codes: replaceBackupCodesIf(db, owner, condition, { digests, now: now() }),
    }),
    eventsOf: totpReplacedEvents,
  })
  return codes
}

type FactorChangeParts = {
  /** Checks whether the user has the factors that the change requires. */
  requires?: (holding: EnrolledFactors) => boolean
  statementsOf: (
    owner: FactorOwner,
    condition: Condition,
  ) => Statements & { outboxIds?: never; isMade?: never; browsers?: never }
  eventsOf: (context: AccountEventContext) => OutboxEvents
}

/** Changes the factors of a user who has recently been verified, and notifies every address of the account. */
async function changeFactors(
  dependencies: FactorDependencies,
  { tenantId, signedIn, audit, message, background }: FactorChange,
  { requires, statementsOf, eventsOf }: FactorChangeParts,
): Promise<void> {
  const { db, now } = dependencies
  const { user } = signedIn
  const owner = { tenantId, userId: user.id }
  const { isProven, holding } = await readStepUp(dependencies, tenantId, signedIn)
  if (requires && !(holding && requires(holding))) refuseWith('entity.not_found')
  const condition = allOf(isProven, isUnrevoked(tenantId, user))
  const entry = audit.success()
  const { isMade, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: eventsOf({ ...owner, applicationId: signedIn.token.clientId, message, entry, now: now() }),
    statements: {
      isMade: conditionQuery(db, condition),
      ...statementsOf(owner, condition),
      browsers: forgetRememberedBrowsersIf(db, owner, condition, now()),
    },
  })
  if (isMade.length === 0) throwIfRefused(refuseOldProof())
  dispatchNotifications(dependencies, { ...owner, outboxIds, background })
}

/**
 * The setup of an authenticator app whose secret a signed-in user has seen but not verified with a code yet.
 * `enrolment` contains the secret, sealed for this user. The client sends it back with a code; until then, nothing is
 * stored.
 */
type TotpEnrolment = TotpSetup & { enrolment: string }

/** The same as the lifetime of a recent verification, which enrolment also requires. */
const ENROLMENT_MS = 10 * MINUTE

type Sealed = { secret: string; until: number }

/** Returns a secret to set up. If the enrolment `before` is still valid, its secret is used again. */
export async function createTotpEnrolment(
  dependencies: Pick<Dependencies, 'now' | 'seals' | 'experience'>,
  { tenantId, user, host }: { tenantId: string; user: UserRow; host: string },
  before?: string,
): Promise<TotpEnrolment> {
  const { now, seals, experience } = dependencies
  const owner = { tenantId, userId: user.id }
  const secret = before === undefined ? null : await openEnrolment(dependencies, owner, before)
  const listing = { host, account: totpAccountName(user) }
  const invitation = createTotpSetup(await experience.get(tenantId), listing, secret ?? undefined)
  if (before !== undefined && secret !== null) return { ...invitation, enrolment: before }
  const sealed: Sealed = { secret: invitation.secret, until: now() + ENROLMENT_MS }
  return { ...invitation, enrolment: await seals.seal(labelOf(owner), sealed) }
}

/** Returns the secret of an enrolment, or null if the enrolment has expired or belongs to another user. */
async function openEnrolment(
  { now, seals }: Pick<Dependencies, 'now' | 'seals'>,
  owner: FactorOwner,
  enrolment: string,
): Promise<string | null> {
  // The cast is safe, because nothing else is sealed under this label.
  const opened = (await seals.open(labelOf(owner), enrolment)) as Sealed | null
  return opened && opened.until >= now() ? opened.secret : null
}

const labelOf = ({ tenantId, userId }: FactorOwner): SealLabel => `totp-enrolment/${tenantId}/${userId}`
