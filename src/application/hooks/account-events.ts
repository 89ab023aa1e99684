import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import type { AddressType } from '../../domain/account/address-rules.ts'
import { hasTotpSince } from '../../storage/account/taken-back.ts'
import type { OutboxEvents } from '../../storage/commit.ts'
import { type FactorOwner, factorJson, hasTotp } from '../../storage/factors/factors.ts'
import type { HookEvents } from '../../storage/hooks/hook-events.ts'
import { type IdentifiedLog, isLogged } from '../../storage/logs.ts'
import { isPasskey, passkeyJson, storedPasskeyJson } from '../../storage/passkeys/passkeys.ts'
import { noticeOf, togetherUnlessFirst } from '../connectors/notices.ts'
import type { Dependencies } from '../dependencies.ts'

/** What hooks (spec/connectors#hook-events) and the user (spec/accounts#notices) are told of changed credentials. */

/** `applicationId` where an application calls for its user. */
type Occasion = FactorOwner & Pick<HookEvents, 'applicationId' | 'now'>
export type ToldOccasion = Occasion & {
  message: Parameters<typeof noticeOf>[0]
  /** A user can cause any number of notices, so those that follow within a while wait and become one (spec/accounts#repeated-notices). */
  entry?: IdentifiedLog
}

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
