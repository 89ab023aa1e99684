import { z } from 'zod'
import { basicAuthorization } from '../base64.ts'
import { checkByEmptyMessage } from '../credential-check.ts'
import {
  endpointItem,
  MessageTemplates,
  OptionalEndpoint,
  RequiredText,
  requiredItem,
  secretItem,
  smsTemplatesItem,
} from '../fields.ts'
import { messageConnector } from './message.ts'
import { postToProvider, readReceipt } from './message-call.ts'

const Config = z.object({
  // It becomes part of a path.
  accountSID: z.string().regex(/^\w+$/),
  authToken: RequiredText,
  fromMessagingServiceSID: RequiredText,
  templates: MessageTemplates,
  endpoint: OptionalEndpoint,
})

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
export const twilio = messageConnector({
  factoryId: 'twilio-short-message-service',
  target: 'twilio-sms',
  type: 'Sms',
  name: { en: 'Twilio' },
  description: { en: 'SMS through Twilio Programmable Messaging' },
  config: Config,
  formItems: [
    requiredItem('accountSID', 'Account SID', 'AC…'),
    secretItem('authToken', 'Auth token'),
    requiredItem('fromMessagingServiceSID', 'Messaging service SID', 'MG…'),
    smsTemplatesItem,
    endpointItem,
  ],
  async send(config, { to, text = '' }, context) {
    const answer = await postToProvider(
      {
        ...target(config),
        body: new URLSearchParams({
          To: `+${to}`,
          MessagingServiceSid: config.fromMessagingServiceSID,
          Body: text,
        }).toString(),
      },
      context,
    )
    readReceipt(answer, z.object({ sid: z.string() }))
  },
  check: (config, context) => checkByEmptyMessage({ ...target(config), body: '' }, context),
})

const target = ({ accountSID, authToken, endpoint }: z.infer<typeof Config>) => ({
  url: endpoint ?? `https://api.twilio.com/2010-04-01/Accounts/${accountSID}/Messages.json`,
  headers: {
    authorization: basicAuthorization(accountSID, authToken),
    'content-type': 'application/x-www-form-urlencoded',
  },
})
