import { messageTypes, noticeTypes } from './connectors.ts'

/** The type of a message with the link of an invitation (spec/management#invitations). */
export const INVITATION_MESSAGE = 'Invitation'
/** All types of messages, for which operators can write templates (spec/connectors#message-templates). */
export const usageTypes = [...messageTypes, ...noticeTypes, INVITATION_MESSAGE] as const
export type UsageType = (typeof usageTypes)[number]
