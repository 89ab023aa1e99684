import { type MessageConnectorType, messageConnectorTypes } from '../../contract/connectors/connectors.ts'
import type { SignInExperience } from '../../contract/experience/experience.ts'

/** Whether codes can be sent to email addresses and to phone numbers. */
type MessageChannels = { email: boolean; phone: boolean }

const types: Record<string, MessageConnectorType> = messageConnectorTypes

export function installedChannels(factoryIds: readonly string[]): MessageChannels {
  const has = (type: MessageConnectorType) =>
    factoryIds.some((id) => Object.hasOwn(types, id) && types[id] === type)
  return { email: has('Email'), phone: has('Sms') }
}

/** In development, the dev inbox receives messages if no connector is installed (spec/pages#dev-inbox). */
export const inboxChannels: MessageChannels = { email: true, phone: true }

/**
 * Returns the channels through which a forgotten password can be reset (spec/experience#forgot-password): those of the
 * connectors. The dev inbox replaces a missing connector that the settings need, so that default settings look the same
 * in development.
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
