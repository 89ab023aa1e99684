import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import type { AddressType } from '../../domain/account/address-rules.ts'
import { maskIdentifier } from '../../domain/masking.ts'
import { wasTotpAddedSince } from '../../storage/account/removed-credentials.ts'
import type { OutboxEvents } from '../../storage/commit.ts'
import { ALWAYS_TRUE, type Condition } from '../../storage/conditions.ts'
import { type FactorOwner, factorJson, hasTotp } from '../../storage/factors/factors.ts'
import type { HookEvents } from '../../storage/hooks/hook-events.ts'
import { hasAuditEntry, type IdentifiedLog } from '../../storage/logs.ts'
import { passkeyExists, passkeyJson, storedPasskeyJson } from '../../storage/passkeys/passkeys.ts'
import { combineAfterFirst, createNotice, isFirstRecentChange } from '../connectors/notices.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Creates the notifications about a change to an account: events for hooks (spec/connectors#hook-events) and notices
 * for users (spec/accounts#notices).
 */

/**
 * The account that an event is about. `applicationId` is set if an application makes the change on the user's behalf,
 * and `actor` if an operator makes it.
 */
type HookEventContext = FactorOwner & Pick<HookEvents, 'actor' | 'applicationId' | 'now'>
export type AccountEventContext = HookEventContext & {
  message: Parameters<typeof createNotice>[0]
  /**
   * The audit entry of the change. Set for changes that a user can repeat any number of times: notices that soon follow
   * the first one are then delayed and combined (spec/accounts#repeated-notices).
   */
  entry?: IdentifiedLog
}

/** Creates a change's notifications from its context and its audit entry. */
export type NotificationFactory = (context: AccountEventContext, entry: IdentifiedLog) => OutboxEvents

export const passkeyAddedEvents = (passkey: Passkey, context: AccountEventContext): OutboxEvents => ({
  hooksBefore: [
    {
      event: 'User.PasskeyAdded',
      ...eventOwner(context),
      subject: { name: 'passkey', json: passkeyJson(passkey) },
    },
  ],
  notice: accountNotice('PasskeyAdded', context),
})

export const passkeyRemovedEvents = (id: string, context: AccountEventContext): OutboxEvents => ({
  hooksBefore: [removalOf(id, context)],
  notice: accountNotice('PasskeyRemoved', context),
})

function removalOf(id: string, context: HookEventContext): HookEvents {
  const { tenantId, userId } = context
  const key = { userId, id }
  return {
    event: 'User.PasskeyRemoved',
    ...eventOwner(context),
    subject: { name: 'passkey', json: storedPasskeyJson(tenantId, key) },
    condition: passkeyExists(tenantId, key),
  }
}

/**
 * Returns the notifications about an operator's factor reset: a hook event for each removed factor, and a single
 * message to the user.
 */
export function factorsResetEvents(
  context: AccountEventContext,
  passkeys: readonly Pick<Passkey, 'id'>[],
): OutboxEvents {
  const { hooksBefore = [], notice } = totpRemovedEvents(context)
  return { hooksBefore: [...hooksBefore, ...passkeys.map(({ id }) => removalOf(id, context))], notice }
}

/**
 * Returns the notifications about a new authenticator app. If it replaces another app, hooks also receive an event
 * about the removal.
 */
export const totpReplacedEvents = (context: AccountEventContext): OutboxEvents => ({
  ...totpRemovedEvents(context),
  hooks: [factorAddedEvents('totp', context)],
})

/** Returns the notifications about the removal of an authenticator app. If there was no app, hooks receive no event. */
export const totpRemovedEvents = (context: AccountEventContext): OutboxEvents => ({
  hooksBefore: [removalOfTotp(context, hasTotp(context))],
  notice: accountNotice('FactorsChanged', context),
})

export const backupCodesRenewedEvents = (context: AccountEventContext): OutboxEvents => ({
  hooks: [factorAddedEvents('backupCode', context)],
  notice: accountNotice('FactorsChanged', context),
})

/**
 * Returns the notifications about a linked or unlinked identity. The hook event is conditional on the audit entry,
 * because the condition of the change no longer holds once the change is made.
 */
export const identitiesChangedEvents = (
  context: AccountEventContext & { entry: IdentifiedLog },
): OutboxEvents => ({
  hooks: [userUpdatedEvents(context)],
  hooksIf: hasAuditEntry(context.tenantId, context.entry.id),
  notice: accountNotice('IdentitiesChanged', context),
})

/**
 * Returns the notifications about a password change by the user. The hook event is conditional on the audit entry,
 * because the same batch ends the verification that the change required.
 */
export const passwordChangedEvents = (
  context: AccountEventContext & { entry: IdentifiedLog },
): OutboxEvents => ({
  hooks: [userUpdatedEvents(context)],
  hooksIf: hasAuditEntry(context.tenantId, context.entry.id),
  notice: accountNotice('PasswordChanged', context),
})

/**
 * Returns the hook event for an added factor. Backup codes are added and removed together with their app, so only their
 * renewal has a separate event.
 */
export const factorAddedEvents = (kind: 'totp' | 'backupCode', context: HookEventContext): HookEvents => ({
  event: 'User.FactorAdded',
  ...eventOwner(context),
  subject: { name: 'factor', json: factorJson(kind) },
})

/**
 * Returns the events for factors that were added after `since`. A password reset or the undo of an address change
 * removes these factors.
 */
export const removedFactorEvents = (
  context: HookEventContext,
  since: number,
  passkeys: readonly string[],
): HookEvents[] => [
  ...passkeys.map((id) => removalOf(id, context)),
  removalOfTotp(context, wasTotpAddedSince({ owner: context, since })),
]

const removalOfTotp = (context: HookEventContext, condition: Condition): HookEvents => ({
  event: 'User.FactorRemoved',
  ...eventOwner(context),
  subject: { name: 'factor', json: factorJson('totp') },
  condition,
})

type Replaced = {
  type: AddressType
  informed: readonly string[]
  undo?: Parameters<typeof createNotice>[1]['undo']
  /** The addresses before and after the change, of which the notice shows a part. */
  from: string | null
  to: string | null
}

/**
 * Returns the notifications about a changed address. The notice goes to all previous addresses except those in
 * `informed`. `undo` is the undo link's data for the owner of the old address.
 */
export const addressChangedEvents = (
  { type, informed, undo, from, to }: Replaced,
  { message, ...context }: AccountEventContext,
): OutboxEvents => {
  const { userId, now } = context
  const notice = type === 'email' ? 'EmailChanged' : 'PhoneChanged'
  const mask = (value: string | null) => (value === null ? undefined : maskIdentifier({ type, value }))
  const facts = { previous: mask(from), current: mask(to) }
  return {
    hooks: [userUpdatedEvents(context)],
    notice: createNotice(message, { userId, type: notice, informed, undo, facts, now }),
  }
}

export const userUpdatedEvents = (context: HookEventContext): HookEvents => ({
  event: 'User.Updated',
  ...eventOwner(context),
})

const eventOwner = ({ userId, actor, applicationId, now }: HookEventContext) => ({
  userId,
  actor,
  applicationId,
  now,
})

export const accountNotice = (
  type: Parameters<typeof createNotice>[1]['type'],
  { tenantId, message, userId, entry, now }: AccountEventContext,
) =>
  createNotice(message, {
    userId,
    type,
    now,
    ...(entry && { unlessFirst: combineAfterFirst(tenantId, { userId, entry, now }) }),
  })

type Dispatch = FactorOwner & {
  outboxIds: readonly string[]
  /** True if the change wrote a notice to the user. Defaults to true. */
  hasNotice?: boolean
  background(task: () => Promise<unknown>): void
}

/** Sends the notices and outbox rows that a change's batch has written. Runs after the response. */
export function dispatchNotifications(
  { deliveries }: Pick<Dependencies, 'deliveries'>,
  { tenantId, userId, outboxIds, hasNotice = true, background }: Dispatch,
): void {
  if (hasNotice) background(() => deliveries.sendNotices({ tenantId, userId }))
  if (outboxIds.length > 0) background(() => deliveries.send(tenantId, outboxIds))
}

type ProfileChange = Omit<AccountEventContext, 'message'> & {
  message: AccountEventContext['message'] | null
  entry: IdentifiedLog
  /** True if the username has changed. Users are always notified of that, because they sign in with it. */
  isRenamed: boolean
}

/**
 * Returns the notifications about a changed profile. The user is notified only of the first change within ten minutes,
 * but of every new username (spec/accounts#repeated-notices).
 */
export function profileChangedEvents({ message, entry, isRenamed, ...context }: ProfileChange): OutboxEvents {
  const { tenantId, userId, now } = context
  const hooks = [userUpdatedEvents(context)]
  if (!message) return { hooks }
  const notice = createNotice(message, { userId, type: 'ProfileChanged', now })
  const isFirst = isFirstRecentChange(tenantId, { userId, entry, now })
  return { hooks, notice: { ...notice, condition: isRenamed ? ALWAYS_TRUE : isFirst } }
}
