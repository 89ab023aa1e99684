import { z } from 'zod'
import { basicAuthorization } from '../base64.ts'
import {
  endpointItem,
  MessageTemplates,
  OptionalEndpoint,
  RequiredText,
  requiredItem,
  secretItem,
  smsTemplatesItem,
} from '../fields.ts'
import { messageApiConnector } from './message-api.ts'

/**
 * Sends text messages through Twilio:
 * https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource
 */
export const twilio = messageApiConnector({
  factoryId: 'twilio-short-message-service',
  target: 'twilio-sms',
  type: 'Sms',
  name: { en: 'Twilio' },
  description: { en: 'SMS through Twilio Programmable Messaging' },
  config: z.object({
    // The SID is validated because it becomes part of a path.
    accountSID: z.string().regex(/^\w+$/),
    authToken: RequiredText,
    fromMessagingServiceSID: RequiredText,
    templates: MessageTemplates,
    endpoint: OptionalEndpoint,
  }),
  formItems: [
    requiredItem('accountSID', 'Account SID', 'AC…'),
    secretItem('authToken', 'Auth token'),
    requiredItem('fromMessagingServiceSID', 'Messaging service SID', 'MG…'),
    smsTemplatesItem,
    endpointItem,
  ],
  call: ({ accountSID, authToken }) => ({
    url: `https://api.twilio.com/2010-04-01/Accounts/${accountSID}/Messages.json`,
    headers: { authorization: basicAuthorization(accountSID, authToken) },
  }),
  format: 'form',
  content: ({ fromMessagingServiceSID }, { to, text = '' }) => ({
    To: `+${to}`,
    MessagingServiceSid: fromMessagingServiceSID,
    Body: text,
  }),
  receipt: z.object({ sid: z.string() }),
})
