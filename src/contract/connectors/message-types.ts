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
/** The type of a message with the link of an invitation to an organisation (spec/organisations#invitations). */
export const ORGANIZATION_INVITATION_MESSAGE = 'OrganizationInvitation'
/** The types of messages that are only sent by email. */
export const mailOnlyTypes = [INVITATION_MESSAGE, ORGANIZATION_INVITATION_MESSAGE] as const
/** All types of messages, for which operators can write templates (spec/connectors#message-templates). */
export const usageTypes = [...messageTypes, ...noticeTypes, ...mailOnlyTypes] as const
export type UsageType = (typeof usageTypes)[number]

export const isMailOnly = (type: UsageType): type is (typeof mailOnlyTypes)[number] =>
  (mailOnlyTypes as readonly string[]).includes(type)
