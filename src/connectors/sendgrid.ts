import { z } from 'zod'
import { post } from './call.ts'
import {
  Endpoint,
  emailTemplatesItem,
  endpointItem,
  fromEmailItem,
  fromNameItem,
  Optional,
  optional,
  Required,
  secret,
  Templates,
} from './fields.ts'
import { messageConnector, rendered } from './message.ts'

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
export const sendgrid = messageConnector({
  factoryId: 'sendgrid-email-service',
  target: 'sendgrid-mail',
  type: 'Email',
  name: { en: 'SendGrid' },
  description: { en: 'E-mail through the SendGrid API' },
  config: z.object({
    apiKey: Required,
    fromEmail: Required,
    fromName: Optional,
    replyTo: Optional,
    templates: Templates,
    endpoint: Endpoint,
  }),
  formItems: [
    secret('apiKey', 'API key'),
    fromEmailItem,
    fromNameItem,
    optional('replyTo', 'Reply-To address'),
    emailTemplatesItem,
    endpointItem,
  ],
  async send({ apiKey, fromEmail, fromName, replyTo, endpoint }, message, context) {
    const { subject, text, html } = rendered(message)
    // Takes it with 202 and no words: there is nothing to understand.
    await post(
      {
        url: endpoint ?? 'https://api.sendgrid.com/v3/mail/send',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          personalizations: [{ to: [{ email: message.to }] }],
          from: { email: fromEmail, name: fromName },
          reply_to: replyTo && { email: replyTo },
          subject,
          // Plain text first: SendGrid insists on this order.
          content: [
            ...(text ? [{ type: 'text/plain', value: text }] : []),
            ...(html ? [{ type: 'text/html', value: html }] : []),
          ],
          // A code must not pass through a link of somebody else.
          tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
        }),
      },
      context,
    )
  },
})
