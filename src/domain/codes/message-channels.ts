import { type MessageConnectorType, messageConnectorTypes } from '../../contract/connectors/connectors.ts'
import type { SignInExperience } from '../../contract/experience/experience.ts'

/** The kinds of addresses to which codes can be sent. */
type MessageChannels = { email: boolean; phone: boolean }

const types: Record<string, MessageConnectorType> = messageConnectorTypes

export function installedChannels(factoryIds: readonly string[]): MessageChannels {
  const has = (type: MessageConnectorType) =>
    factoryIds.some((id) => Object.hasOwn(types, id) && types[id] === type)
  return { email: has('Email'), phone: has('Sms') }
}

/**
 * The channels of the dev inbox, which receives messages in development if no connector is installed
 * (spec/pages#dev-inbox).
 */
export const inboxChannels: MessageChannels = { email: true, phone: true }

/**
 * Returns the channels through which a forgotten password can be reset (spec/experience#forgot-password): those that
 * have a connector. In development, the dev inbox replaces a missing connector that the settings require, so that the
 * default settings look the same as in production.
 */
export function resetChannels(
  installed: MessageChannels,
  { signIn, signUp }: Pick<SignInExperience, 'signIn' | 'signUp'>,
  { hasInbox }: { hasInbox: boolean },
): MessageChannels {
  const isUsed = (type: 'email' | 'phone') =>
    signUp.identifiers.includes(type) || signIn.methods.some(({ identifier }) => identifier === type)
  return {
    email: installed.email || (hasInbox && isUsed('email')),
    phone: installed.phone || (hasInbox && isUsed('phone')),
  }
}
