/**
 * The reason why a message is sent: the event of an interaction, or an operator's API call
 * (spec/connectors#message-templates).
 */
export const messageTypes = ['SignIn', 'Register', 'ForgotPassword', 'Generic', 'Test'] as const
export type MessageType = (typeof messageTypes)[number]

/** Messages without a code, which inform users about changes to their account (spec/accounts#notices). */
export const noticeTypes = [
  'PasswordReset',
  'PasswordChanged',
  'PasskeyAdded',
  'PasskeyRemoved',
  'FactorsChanged',
  'IdentitiesChanged',
  'EmailChanged',
  'PhoneChanged',
  'ProfileChanged',
  'SessionsEnded',
  'ConsentWithdrawn',
  'BrowsersForgotten',
  'PasskeyRenamed',
  'DeletionRequested',
  'DeletionCanceled',
  'NewSignIn',
] as const
export type NoticeType = (typeof noticeTypes)[number]

/** The type of a message with the link of an invitation (spec/management#invitations). */
export const INVITATION_MESSAGE = 'Invitation'
/** All types of messages, for which operators can write templates (spec/connectors#message-templates). */
export const usageTypes = [...messageTypes, ...noticeTypes, INVITATION_MESSAGE] as const
export type UsageType = (typeof usageTypes)[number]
