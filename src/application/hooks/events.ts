import type { NoticeType } from '../../contract/connectors/connectors.ts'
import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import type { AddressType } from '../../domain/account/address-rules.ts'
import { hasTotpSince } from '../../storage/account/removed-credentials.ts'
import type { OutboxEvents } from '../../storage/commit.ts'
import { allOf, type Condition, isAlwaysTrue } from '../../storage/conditions.ts'
import { type FactorOwner, factorJson, hasTotp } from '../../storage/factors/factors.ts'
import { asJson, type HookEvents } from '../../storage/hooks/hook-events.ts'
import { type IdentifiedLog, isLogged } from '../../storage/logs.ts'
import { isPasskey, passkeyJson, storedPasskeyJson } from '../../storage/passkeys/passkeys.ts'
import { hasOtherSession, otherSessionsJson, type SessionKey } from '../../storage/sessions/sessions.ts'
import { hasLiveBrowser, liveBrowsersJson } from '../../storage/sessions/trusted-browsers.ts'
import { isFirstInAWhile, noticeOf, togetherUnlessFirst } from '../connectors/notices.ts'
import type { Dependencies } from '../dependencies.ts'

/** What hooks (spec/connectors#hook-events) and the user (spec/accounts#notices) are told of changed credentials. */

/** `applicationId` where an application calls for its user. */
type HookEventContext = FactorOwner & Pick<HookEvents, 'applicationId' | 'now'>
export type AccountEventContext = HookEventContext & {
  message: Parameters<typeof noticeOf>[0]
  /** A user can cause any number of notices, so those that follow within a while wait and become one (spec/accounts#repeated-notices). */
  entry?: IdentifiedLog
}

/** Makes the notifications of a change from its context and its audit entry. */
export type NotificationFactory = (context: AccountEventContext, entry: IdentifiedLog) => OutboxEvents

export const passkeyAdded = (passkey: Passkey, context: AccountEventContext): OutboxEvents => ({
  hooksBefore: [
    {
      event: 'User.PasskeyAdded',
      ...whose(context),
      subject: { name: 'passkey', json: passkeyJson(passkey) },
    },
  ],
  notice: noticeTo('PasskeyAdded', context),
})

export const passkeyRemoved = (id: string, context: AccountEventContext): OutboxEvents => ({
  hooksBefore: [removalOf(id, context)],
  notice: noticeTo('PasskeyRemoved', context),
})

function removalOf(id: string, context: HookEventContext): HookEvents {
  const { tenantId, userId } = context
  const key = { userId, id }
  return {
    event: 'User.PasskeyRemoved',
    ...whose(context),
    subject: { name: 'passkey', json: storedPasskeyJson(tenantId, key) },
    condition: isPasskey(tenantId, key),
  }
}

/** Of an operator: hooks are told of each, the user once. */
export function factorsReset(
  context: AccountEventContext,
  passkeys: readonly Pick<Passkey, 'id'>[],
): OutboxEvents {
  const { hooksBefore = [], notice } = totpRemoved(context)
  return { hooksBefore: [...hooksBefore, ...passkeys.map(({ id }) => removalOf(id, context))], notice }
}

/** In place of another one, if there is one. */
export const totpReplaced = (context: AccountEventContext): OutboxEvents => ({
  ...totpRemoved(context),
  hooks: [factorAdded('totp', context)],
})

/** Where there is no app, hooks are told nothing. */
export const totpRemoved = (context: AccountEventContext): OutboxEvents => ({
  hooksBefore: [removalOfTotp(context, hasTotp(context))],
  notice: noticeTo('FactorsChanged', context),
})

export const backupCodesRenewed = (context: AccountEventContext): OutboxEvents => ({
  hooks: [factorAdded('backupCode', context)],
  notice: noticeTo('FactorsChanged', context),
})

/** Linked or unlinked by the user, as the audit entry says: what there was before is there no more. */
export const identitiesChanged = (context: AccountEventContext & { entry: IdentifiedLog }): OutboxEvents => ({
  hooks: [userUpdated(context)],
  hooksIf: isLogged(context.tenantId, context.entry.id),
  notice: noticeTo('IdentitiesChanged', context),
})

/** By the user who knew the old one, as the audit entry says: the revocation that goes with it ends what allowed it. */
export const passwordChanged = (context: AccountEventContext & { entry: IdentifiedLog }): OutboxEvents => ({
  hooks: [userUpdated(context)],
  hooksIf: isLogged(context.tenantId, context.entry.id),
  notice: noticeTo('PasswordChanged', context),
})

/** The backup codes of an app come and go with it; only new ones for the same app are told of. */
export const factorAdded = (kind: 'totp' | 'backupCode', context: HookEventContext): HookEvents => ({
  event: 'User.FactorAdded',
  ...whose(context),
  subject: { name: 'factor', json: factorJson(kind) },
})

/** With the undo of a change of an address, or a reset of the password: what was added since. */
export const removedByUndo = (
  context: HookEventContext,
  since: number,
  passkeys: readonly string[],
): HookEvents[] => [
  ...passkeys.map((id) => removalOf(id, context)),
  removalOfTotp(context, hasTotpSince({ owner: context, since })),
]

const removalOfTotp = (context: HookEventContext, condition: Condition): HookEvents => ({
  event: 'User.FactorRemoved',
  ...whose(context),
  subject: { name: 'factor', json: factorJson('totp') },
  condition,
})

type Replaced = {
  type: AddressType
  informed: readonly string[]
  undo?: Parameters<typeof noticeOf>[1]['undo']
}

/** Told to every address of before but the `informed` ones; `undo` is for the owner of the old one. */
export const addressChanged = (
  { type, informed, undo }: Replaced,
  { message, ...context }: AccountEventContext,
): OutboxEvents => {
  const { userId, now } = context
  const notice = type === 'email' ? 'EmailChanged' : 'PhoneChanged'
  return {
    hooks: [userUpdated(context)],
    notice: noticeOf(message, { userId, type: notice, informed, undo, now }),
  }
}

export const userUpdated = (context: HookEventContext): HookEvents => ({
  event: 'User.Updated',
  ...whose(context),
})

const whose = ({ userId, applicationId, now }: HookEventContext) => ({ userId, applicationId, now })

export const noticeTo = (
  type: Parameters<typeof noticeOf>[1]['type'],
  { tenantId, message, userId, entry, now }: AccountEventContext,
) =>
  noticeOf(message, {
    userId,
    type,
    now,
    ...(entry && { unlessFirst: togetherUnlessFirst(tenantId, { userId, entry, now }) }),
  })

type Dispatch = FactorOwner & {
  outboxIds: readonly string[]
  /** Whether the change wrote a notice to the user; by default it did. */
  hasNotice?: boolean
  background(task: () => Promise<unknown>): void
}

/** Sends the notices and the outbox rows that the batch of a change has written, after the answer. */
export function dispatchNotifications(
  { deliveries }: Pick<Dependencies, 'deliveries'>,
  { tenantId, userId, outboxIds, hasNotice = true, background }: Dispatch,
): void {
  if (hasNotice) background(() => deliveries.sendNotices({ tenantId, userId }))
  if (outboxIds.length > 0) background(() => deliveries.send(tenantId, outboxIds))
}

// Access that users have ended themselves, and passkeys that they have renamed (spec/connectors#hook-events,
// spec/accounts#repeated-notices). When an operator does the same, neither hooks nor the user are notified.

export const sessionEnded = (sessionId: string) =>
  firstNotification('SessionsEnded', { name: 'sessionIds', json: asJson([sessionId]) })

/** Notifies nobody if there was no other session. */
export const otherSessionsEnded = (key: SessionKey & { now: number }) =>
  firstNotification(
    'SessionsEnded',
    { name: 'sessionIds', json: otherSessionsJson(key) },
    hasOtherSession(key),
  )

export const browserForgotten = (id: string) =>
  firstNotification('BrowsersForgotten', { name: 'trustedBrowserIds', json: asJson([id]) })

export const browsersForgotten = (tenantId: string, userId: string) =>
  firstNotification(
    'BrowsersForgotten',
    { name: 'trustedBrowserIds', json: liveBrowsersJson(tenantId, userId) },
    hasLiveBrowser(tenantId, userId),
  )

export const consentWithdrawn = (applicationId: string) =>
  firstNotification('ConsentWithdrawn', { name: 'withdrawnApplicationId', json: asJson(applicationId) })

export const passkeyRenamed =
  (id: string): NotificationFactory =>
  (context, entry) => {
    const { tenantId, userId } = context
    const json = storedPasskeyJson(tenantId, { userId, id })
    const { hooksBefore, notice } = firstNotification('PasskeyRenamed', { name: 'passkey', json })(
      context,
      entry,
    )
    // After the change, so that hooks read the new name.
    return { hooks: hooksBefore, notice }
  }

type RepeatedNotice = Extract<
  NoticeType,
  'SessionsEnded' | 'BrowsersForgotten' | 'ConsentWithdrawn' | 'PasskeyRenamed'
>

const firstNotification =
  (
    type: RepeatedNotice,
    subject: HookEvents['subject'],
    condition: Condition = isAlwaysTrue,
  ): NotificationFactory =>
  ({ tenantId, userId, applicationId, message, now }, entry) => {
    const isFirst = isFirstInAWhile(tenantId, { userId, entry, now })
    return {
      hooksBefore: [{ event: `User.${type}`, userId, applicationId, subject, condition, now }],
      notice: {
        ...noticeOf(message, { userId, type, now }),
        condition: allOf(condition, isFirst),
      },
    }
  }

type ProfileChange = Omit<AccountEventContext, 'message'> & {
  message: AccountEventContext['message'] | null
  entry: IdentifiedLog
  /** Users sign in with their name, so they are notified of each new one. */
  isRenamed: boolean
}

/** Notifies the user of the first change in a while only (spec/accounts#repeated-notices). */
export function profileChanged({ message, entry, isRenamed, ...context }: ProfileChange): OutboxEvents {
  const { tenantId, userId, now } = context
  const hooks = [userUpdated(context)]
  if (!message) return { hooks }
  const notice = noticeOf(message, { userId, type: 'ProfileChanged', now })
  const isFirst = isFirstInAWhile(tenantId, { userId, entry, now })
  return { hooks, notice: { ...notice, condition: isRenamed ? isAlwaysTrue : isFirst } }
}
