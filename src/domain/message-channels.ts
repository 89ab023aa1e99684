import { type MessageConnectorType, messageConnectorTypes } from '../contract/connectors.ts'
import type { SignInExperience } from '../contract/experience.ts'

/** Whether codes can be sent to addresses of a kind. */
export type MessageChannels = { email: boolean; phone: boolean }

const types: Record<string, MessageConnectorType> = messageConnectorTypes

/** What connectors of these factories can send. */
export function installedChannels(factoryIds: readonly string[]): MessageChannels {
  const has = (type: MessageConnectorType) =>
    factoryIds.some((id) => Object.hasOwn(types, id) && types[id] === type)
  return { email: has('Email'), phone: has('Sms') }
}

/** In development the dev inbox takes what nobody else sends (decision 44). */
export const inboxChannels: MessageChannels = { email: true, phone: true }

/**
 * Where a forgotten password can be asked for (contract 5.1): wherever a connector sends to. The dev inbox stands in
 * for a connector where the settings ask for one, so that default settings look the same in development.
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
