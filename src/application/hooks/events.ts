import type { NoticeType } from '../../contract/connectors/connectors.ts'
import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import type { AddressType } from '../../domain/account/address-rules.ts'
import { hasTotpSince } from '../../storage/account/taken-back.ts'
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
type Occasion = FactorOwner & Pick<HookEvents, 'applicationId' | 'now'>
export type ToldOccasion = Occasion & {
  message: Parameters<typeof noticeOf>[0]
  /** A user can cause any number of notices, so those that follow within a while wait and become one (spec/accounts#repeated-notices). */
  entry?: IdentifiedLog
}

/** What is told, by the occasion and the audit entry of the change. */
export type Telling = (occasion: ToldOccasion, entry: IdentifiedLog) => OutboxEvents

export const passkeyAdded = (passkey: Passkey, occasion: ToldOccasion): OutboxEvents => ({
  hooksBefore: [
    {
      event: 'User.PasskeyAdded',
      ...whose(occasion),
      subject: { name: 'passkey', json: passkeyJson(passkey) },
    },
  ],
  notice: noticeTo('PasskeyAdded', occasion),
})

export const passkeyRemoved = (id: string, occasion: ToldOccasion): OutboxEvents => ({
  hooksBefore: [removalOf(id, occasion)],
  notice: noticeTo('PasskeyRemoved', occasion),
})

function removalOf(id: string, occasion: Occasion): HookEvents {
  const { tenantId, userId } = occasion
  const key = { userId, id }
  return {
    event: 'User.PasskeyRemoved',
    ...whose(occasion),
    subject: { name: 'passkey', json: storedPasskeyJson(tenantId, key) },
    condition: isPasskey(tenantId, key),
  }
}

/** Of an operator: hooks are told of each, the user once. */
export function factorsReset(occasion: ToldOccasion, passkeys: readonly Pick<Passkey, 'id'>[]): OutboxEvents {
  const { hooksBefore = [], notice } = totpRemoved(occasion)
  return { hooksBefore: [...hooksBefore, ...passkeys.map(({ id }) => removalOf(id, occasion))], notice }
}

/** In place of another one, if there is one. */
export const totpReplaced = (occasion: ToldOccasion): OutboxEvents => ({
  ...totpRemoved(occasion),
  hooks: [factorAdded('totp', occasion)],
})

/** Where there is no app, hooks are told nothing. */
export const totpRemoved = (occasion: ToldOccasion): OutboxEvents => ({
  hooksBefore: [
    {
      event: 'User.FactorRemoved',
      ...whose(occasion),
      subject: { name: 'factor', json: factorJson('totp') },
      condition: hasTotp(occasion),
    },
  ],
  notice: noticeTo('FactorsChanged', occasion),
})

export const backupCodesRenewed = (occasion: ToldOccasion): OutboxEvents => ({
  hooks: [factorAdded('backupCode', occasion)],
  notice: noticeTo('FactorsChanged', occasion),
})

/** Linked or unlinked by the user, as the audit entry says: what there was before is there no more. */
export const identitiesChanged = (occasion: ToldOccasion & { entry: IdentifiedLog }): OutboxEvents => ({
  hooks: [userUpdated(occasion)],
  hooksIf: isLogged(occasion.tenantId, occasion.entry.id),
  notice: noticeTo('IdentitiesChanged', occasion),
})

/** By the user who knew the old one, as the audit entry says: the revocation that goes with it ends what allowed it. */
export const passwordChanged = (occasion: ToldOccasion & { entry: IdentifiedLog }): OutboxEvents => ({
  hooks: [userUpdated(occasion)],
  hooksIf: isLogged(occasion.tenantId, occasion.entry.id),
  notice: noticeTo('PasswordChanged', occasion),
})

/** The backup codes of an app come and go with it; only new ones for the same app are told of. */
export const factorAdded = (kind: 'totp' | 'backupCode', occasion: Occasion): HookEvents => ({
  event: 'User.FactorAdded',
  ...whose(occasion),
  subject: { name: 'factor', json: factorJson(kind) },
})

/** With the undo of a change of an address, or a reset of the password: what was added since. */
export const takenBack = (occasion: Occasion, since: number, passkeys: readonly string[]): HookEvents[] => [
  ...passkeys.map((id) => removalOf(id, occasion)),
  {
    event: 'User.FactorRemoved',
    ...whose(occasion),
    subject: { name: 'factor', json: factorJson('totp') },
    condition: hasTotpSince({ owner: occasion, since }),
  },
]

type Replaced = {
  type: AddressType
  informed: readonly string[]
  undo?: Parameters<typeof noticeOf>[1]['undo']
}

/** Told to every address of before but the `informed` ones; `undo` is for the owner of the old one. */
export const addressChanged = (
  { type, informed, undo }: Replaced,
  { message, ...occasion }: ToldOccasion,
): OutboxEvents => {
  const { userId, now } = occasion
  const notice = type === 'email' ? 'EmailChanged' : 'PhoneChanged'
  return {
    hooks: [userUpdated(occasion)],
    notice: noticeOf(message, { userId, type: notice, informed, undo, now }),
  }
}

export const userUpdated = (occasion: Occasion): HookEvents => ({ event: 'User.Updated', ...whose(occasion) })

const whose = ({ userId, applicationId, now }: Occasion) => ({ userId, applicationId, now })

export const noticeTo = (
  type: Parameters<typeof noticeOf>[1]['type'],
  { tenantId, message, userId, entry, now }: ToldOccasion,
) =>
  noticeOf(message, {
    ...{ userId, type, informed: [], now },
    ...(entry && { unlessFirst: togetherUnlessFirst(tenantId, { userId, entry, now }) }),
  })

/** Behind the answer: the messages and the deliveries of what is told above. */
export function sendTold(
  { deliveries }: Pick<Dependencies, 'deliveries'>,
  { tenantId, userId, outboxIds, background }: FactorOwner & SentBehind,
): void {
  background(() => deliveries.sendNotices({ tenantId, userId }))
  if (outboxIds.length > 0) background(() => deliveries.send(tenantId, outboxIds))
}

type SentBehind = { outboxIds: string[]; background(task: () => Promise<unknown>): void }

/**
 * What hooks (spec/connectors#hook-events) and the user (spec/accounts#repeated-notices) are told of access that the user has ended, and
 * of a passkey with another name. What an operator does so is told to nobody.
 */

export const sessionEnded = (sessionId: string) =>
  telling('SessionsEnded', { name: 'sessionIds', json: asJson([sessionId]) })

/** Nothing where there was no other one. */
export const otherSessionsEnded = (key: SessionKey & { now: number }) =>
  telling('SessionsEnded', { name: 'sessionIds', json: otherSessionsJson(key) }, hasOtherSession(key))

export const browserForgotten = (id: string) =>
  telling('BrowsersForgotten', { name: 'trustedBrowserIds', json: asJson([id]) })

export const browsersForgotten = (tenantId: string, userId: string) =>
  telling(
    'BrowsersForgotten',
    { name: 'trustedBrowserIds', json: liveBrowsersJson(tenantId, userId) },
    hasLiveBrowser(tenantId, userId),
  )

export const consentWithdrawn = (applicationId: string) =>
  telling('ConsentWithdrawn', { name: 'withdrawnApplicationId', json: asJson(applicationId) })

export const passkeyRenamed =
  (id: string): Telling =>
  (occasion, entry) => {
    const { tenantId, userId } = occasion
    const json = storedPasskeyJson(tenantId, { userId, id })
    const { hooksBefore, notice } = telling('PasskeyRenamed', { name: 'passkey', json })(occasion, entry)
    // With its new name.
    return { hooks: hooksBefore, notice }
  }

type Told = Extract<NoticeType, 'SessionsEnded' | 'BrowsersForgotten' | 'ConsentWithdrawn' | 'PasskeyRenamed'>

const telling =
  (type: Told, subject: HookEvents['subject'], condition: Condition = isAlwaysTrue): Telling =>
  ({ tenantId, userId, applicationId, message, now }, entry) => {
    const isFirst = isFirstInAWhile(tenantId, { userId, entry, now })
    return {
      hooksBefore: [{ event: `User.${type}`, userId, applicationId, subject, condition, now }],
      notice: {
        ...noticeOf(message, { userId, type, informed: [], now }),
        condition: allOf(condition, isFirst),
      },
    }
  }

type ProfileChange = Omit<ToldOccasion, 'message'> & {
  message: ToldOccasion['message'] | null
  entry: IdentifiedLog
  /** Each new username is told: it is how the user signs in. */
  isRenamed: boolean
}

/** Of other changes the user is told of the first in a while (spec/accounts#repeated-notices). */
export function profileChanged({ message, entry, isRenamed, ...occasion }: ProfileChange): OutboxEvents {
  const { tenantId, userId, now } = occasion
  const hooks = [userUpdated(occasion)]
  if (!message) return { hooks }
  const notice = noticeOf(message, { userId, type: 'ProfileChanged', informed: [], now })
  const isFirst = isFirstInAWhile(tenantId, { userId, entry, now })
  return { hooks, notice: { ...notice, condition: isRenamed ? isAlwaysTrue : isFirst } }
}
