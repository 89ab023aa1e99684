import { z } from 'zod'
import { checkByEmptyMessage } from '../credential-check.ts'
import {
  emailTemplatesItem,
  endpointItem,
  MessageTemplates,
  OptionalEndpoint,
  RequiredText,
  secretItem,
  senderFields,
  senderItems,
} from '../fields.ts'
import { messageConnector, renderedTexts } from './message.ts'
import { postToProvider } from './message-call.ts'

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
export const sendgrid = messageConnector({
  factoryId: 'sendgrid-email-service',
  target: 'sendgrid-mail',
  type: 'Email',
  name: { en: 'SendGrid' },
  description: { en: 'E-mail through the SendGrid API' },
  config: z.object({
    apiKey: RequiredText,
    ...senderFields,
    templates: MessageTemplates,
    endpoint: OptionalEndpoint,
  }),
  formItems: [secretItem('apiKey', 'API key', 'SG.…'), ...senderItems, emailTemplatesItem, endpointItem],
  async send({ apiKey, fromEmail, fromName, replyTo, endpoint }, message, context) {
    const { subject, text, html } = renderedTexts(message)
    // The answer is 202 without a body.
    await postToProvider(
      {
        ...target({ apiKey, endpoint }),
        body: JSON.stringify({
          personalizations: [{ to: [{ email: message.to }] }],
          from: { email: fromEmail, name: fromName ?? message.brand },
          reply_to: replyTo && { email: replyTo },
          subject,
          // Plain text first: SendGrid insists on this order.
          content: [
            ...(text ? [{ type: 'text/plain', value: text }] : []),
            ...(html ? [{ type: 'text/html', value: html }] : []),
          ],
          // A link to a tracker would carry the code.
          tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
        }),
      },
      context,
    )
  },
  check: (config, context) => checkByEmptyMessage({ ...target(config), body: '{}' }, context),
})

const target = ({ apiKey, endpoint }: { apiKey: string; endpoint?: string | undefined }) => ({
  url: endpoint ?? 'https://api.sendgrid.com/v3/mail/send',
  headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
})
