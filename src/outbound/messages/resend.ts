import { z } from 'zod'
import { formatSender, mailFields, mailItems, RequiredText, secretItem } from '../fields.ts'
import { messageApiConnector } from './message-api.ts'

/** Sends email through Resend: https://resend.com/docs/api-reference/emails/send-email */
export const resend = messageApiConnector({
  factoryId: 'resend-email',
  target: 'resend',
  type: 'Email',
  name: { en: 'Resend' },
  description: { en: 'Email through the Resend API' },
  config: z.object({ apiKey: RequiredText, ...mailFields }),
  formItems: [secretItem('apiKey', 'API key', 're_…'), ...mailItems],
  call: ({ apiKey }) => ({
    url: 'https://api.resend.com/emails',
    headers: { authorization: `Bearer ${apiKey}` },
  }),
  format: 'json',
  content: ({ fromEmail, fromName, replyTo }, { to, brand, subject, text, html }) => ({
    from: formatSender({ email: fromEmail, name: fromName ?? brand }),
    to: [to],
    reply_to: replyTo,
    subject,
    text,
    html,
  }),
  receipt: z.object({ id: z.string() }),
})
