import { isRecord } from '../contract/is-record.ts'
import type { LogActor } from '../contract/logs.schema.ts'

/**
 * The beginnings of the keys of actions whose actor the payload does not repeat (ADR-0178): the user acted in `userId`,
 * the application in `applicationId`.
 */
export const ownActions = {
  user: ['Account.', 'Device.', 'Interaction.'],
  application: ['ClientRegistration.', 'ExchangeTokenBy.', 'RevokeToken'],
} as const

/** The scheduled deletion of an account, which belongs to no user any more. */
export const ACCOUNT_DELETED = 'Account.Delete'

/**
 * The steps of an interaction. If such a step failed, nobody knows who took it: it may have been a stranger who guessed
 * a password.
 */
export const INTERACTION_STEPS = 'Interaction.'

/** The actor of changes that the scheduled maintenance makes. */
export const SYSTEM_ACTOR = { type: 'system', id: 'system' } as const

/** The actor types of the callers of the management API, by the type that is stored. */
export const callerActorTypes = { app: 'application', user: 'administrator' } as const

const storedTypes: Readonly<Record<string, LogActor['type']>> = { ...callerActorTypes, system: 'system' }

type Row = { key: string; payload: { result: string; [field: string]: unknown } }

/** Returns who caused an audit row, or null if nobody knows (spec/management#audit-actor). */
export function getActor({ key, payload }: Row): LogActor | null {
  const { actor, applicationId, unregisteredClient, result, userId } = payload
  const beginsWith = (beginning: string) => key.startsWith(beginning)
  if (isRecord(actor)) {
    const type = storedTypes[String(actor.type)]
    return type ? { type, id: textOrNull(actor.id) } : null
  }
  if (key === ACCOUNT_DELETED || beginsWith('TriggerHook.')) return { type: 'system', id: null }
  if (ownActions.application.some(beginsWith))
    return actorOf('application', applicationId ?? unregisteredClient)
  if (!ownActions.user.some(beginsWith)) return null
  return beginsWith(INTERACTION_STEPS) && result === 'Error' ? null : actorOf('user', userId)
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

const actorOf = (type: LogActor['type'], id: unknown): LogActor | null =>
  typeof id === 'string' ? { type, id } : null
