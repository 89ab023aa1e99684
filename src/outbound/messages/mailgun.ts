import { z } from 'zod'
import { basicAuthorization } from '../base64.ts'
import {
  formatSender,
  mailFields,
  mailItems,
  RequiredText,
  requiredItem,
  secretItem,
  selectItem,
} from '../fields.ts'
import { messageApiConnector } from './message-api.ts'

const regions = { US: 'https://api.mailgun.net', EU: 'https://api.eu.mailgun.net' }

/**
 * Sends email through Mailgun: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages. The
 * credentials are checked by sending an incomplete message, because a send-only key cannot read the domain.
 */
export const mailgun = messageApiConnector({
  factoryId: 'mailgun-email',
  target: 'mailgun',
  type: 'Email',
  name: { en: 'Mailgun' },
  description: { en: 'Email through the Mailgun API' },
  config: z.object({
    apiKey: RequiredText,
    domain: z.hostname(),
    region: z.enum(['US', 'EU']).default('US'),
    ...mailFields,
  }),
  formItems: [
    secretItem('apiKey', 'API key'),
    requiredItem('domain', 'Domain', 'mg.example.com'),
    selectItem('region', 'Region', ['US', 'EU']),
    ...mailItems,
  ],
  call: ({ apiKey, domain, region }) => ({
    url: `${regions[region]}/v3/${domain}/messages`,
    headers: { authorization: basicAuthorization('api', apiKey) },
  }),
  format: 'form',
  content: ({ fromEmail, fromName, replyTo }, { to, brand, subject, text, html }) => ({
    from: formatSender({ email: fromEmail, name: fromName ?? brand }),
    to,
    subject,
    text: text || undefined,
    html: html || undefined,
    'h:Reply-To': replyTo,
    'o:tracking': 'no',
  }),
  receipt: z.object({ id: z.string() }),
})
