import type { AccountData } from '../../contract/account/account-data.schema.ts'
import { throwIfRefused } from '../../contract/refused.ts'
import { userFields } from '../../contract/users/user-fields.ts'
import { isOperatorEvent } from '../../domain/account/account-activity.ts'
import { pick } from '../../domain/pick.ts'
import { type AccountDataRows, readAccountData } from '../../storage/account/account-data.ts'
import { entriesOf } from '../../storage/log-steps.ts'
import { USER_LOG_PAGE_SIZE, type UserLog, userLogsQuery } from '../../storage/user-logs.ts'
import { type UserRow, verifiedAddresses } from '../../storage/users/users.ts'
import { type AttemptDependencies, createTenantAttemptLimiter } from '../attempts.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireStepUp } from '../sessions/step-up.ts'

type DownloadRequest = { tenantId: string; signedIn: SignedInUser; schema: string }

/**
 * Streams everything that is stored about a user as one JSON document (spec/account-centre#data). The user must have
 * been verified recently.
 */
export async function downloadOwnData(
  dependencies: AttemptDependencies,
  { tenantId, signedIn, schema }: DownloadRequest,
): Promise<ReadableStream<Uint8Array>> {
  const { db, tenantSettings } = dependencies
  await requireStepUp(dependencies, tenantId, signedIn)
  const { user } = signedIn
  const owner = { tenantId, userId: user.id }
  const { secondFactor } = await tenantSettings.get(tenantId)
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const { now: at } = attempts.circumstances
  const { consumed, ...stored } = await readAccountData(db, owner, {
    consumed: attempts.count([{ limit: 'ownDataDownloads', id: user.id }]),
    now: at,
    rememberDays: secondFactor.rememberDays,
  })
  throwIfRefused(attempts.refusal(consumed))
  const following = (last: { createdAt: number; id: string }) => userLogsQuery(db, owner, last)
  return streamOf(accountDocument({ schema, at, user, stored, following }))
}

/** Each part is generated only when it can be sent, so that slow readers do not increase memory use. */
function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

type Document = {
  schema: string
  /** The time at which the document was created, in epoch milliseconds. */
  at: number
  user: UserRow
  stored: Omit<AccountDataRows, 'consumed'>
  /** Reads the audit rows that come after a given row. */
  following(last: UserLog): PromiseLike<UserLog[]>
}

/** Yields the document in parts, so that at most the audit rows of one query are in memory. */
async function* accountDocument({ schema, at, user, stored, following }: Document): AsyncGenerator<string> {
  const { email: emailVerified, phone: phoneVerified } = verifiedAddresses(user)
  const [totp] = stored.totp
  const [offer] = stored.offers
  const data: Omit<AccountData, 'activity'> = {
    $schema: schema,
    createdAt: new Date(at).toISOString(),
    user: { ...pick(user, userFields), emailVerified, phoneVerified },
    hasPassword: user.passwordEncrypted !== null,
    passwordChangedAt: stored.passwordChanges[0]?.at ?? null,
    roles: stored.roles.map(({ name }) => name),
    passkeys: stored.passkeys,
    authenticatorApp: totp ? { createdAt: totp.createdAt, lastUsedAt: totp.lastUsedAt } : null,
    backupCodesLeft: stored.backupCodes[0]?.left ?? 0,
    sessions: stored.sessions,
    browsers: stored.browsers,
    consents: stored.consents,
    grants: stored.grants,
    identitiesSince: stored.identitiesSince,
    addressChanges: stored.addressChanges.map(({ previous, ...change }) => ({
      ...change,
      previous: previous || null,
    })),
    formerIdentifiers: stored.former,
    invitations: stored.invitations,
    organizations: stored.organizations,
    createdOrganizations: stored.createdOrganizations,
    organizationInvitations: stored.organizationInvitations,
    formerOrganizations: stored.formerOrganizations,
    putOff: {
      passkeyTimes: offer?.times ?? 0,
      passkeyAt: offer?.at ?? null,
      secondFactorAt: stored.deferrals.map((deferral) => deferral.at),
    },
    signInPlaces: stored.places,
    lastActiveDay: stored.lastDays[0]?.day ?? null,
  }
  yield `${JSON.stringify(data).slice(0, -1)},"activity":[`
  let rows: readonly UserLog[] = stored.logs
  for (let separator = ''; rows.length > 0; separator = ',') {
    yield separator +
      rows
        .flatMap(entriesOf)
        .map((entry) => JSON.stringify(activityOf(entry)))
        .join()
    const last = rows.length === USER_LOG_PAGE_SIZE ? rows.at(-1) : undefined
    rows = last ? await following(last) : []
  }
  yield ']}'
}

function activityOf({ id, key, createdAt, payload }: UserLog): AccountData['activity'][number] {
  // The payload does not repeat the audit key, because the key has a separate field.
  const { key: _key, actor: _actor, ...details } = payload
  if (!isOperatorEvent(payload)) return { id, key, createdAt, details }
  const { ip: _ip, userAgent: _userAgent, country: _country, city: _city, ...others } = details
  return { id, key, createdAt, details: others }
}
