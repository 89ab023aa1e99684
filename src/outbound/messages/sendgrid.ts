import { z } from 'zod'
import { mailFields, mailItems, RequiredText, secretItem } from '../fields.ts'
import { messageApiConnector } from './message-api.ts'

/**
 * Sends email through SendGrid, which responds with 202 and no body:
 * https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 */
export const sendgrid = messageApiConnector({
  factoryId: 'sendgrid-email-service',
  target: 'sendgrid-mail',
  type: 'Email',
  name: { en: 'SendGrid' },
  description: { en: 'Email through the SendGrid API' },
  config: z.object({ apiKey: RequiredText, ...mailFields }),
  formItems: [secretItem('apiKey', 'API key', 'SG.…'), ...mailItems],
  call: ({ apiKey }) => ({
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { authorization: `Bearer ${apiKey}` },
  }),
  format: 'json',
  content: ({ fromEmail, fromName, replyTo }, { to, brand, subject, text, html }) => ({
    personalizations: [{ to: [{ email: to }] }],
    from: { email: fromEmail, name: fromName ?? brand },
    reply_to: replyTo && { email: replyTo },
    subject,
    // SendGrid requires plain text to come first.
    content: [
      ...(text ? [{ type: 'text/plain', value: text }] : []),
      ...(html ? [{ type: 'text/html', value: html }] : []),
    ],
    // Click tracking is off, because a tracking link would contain the code.
    tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
  }),
})
