import { z } from 'zod'
import { basicAuthorization } from '../base64.ts'
import { checkByEmptyMessage } from '../credential-check.ts'
import {
  emailTemplatesItem,
  endpointItem,
  MessageTemplates,
  OptionalEndpoint,
  RequiredText,
  requiredItem,
  secretItem,
  senderAddress,
  senderFields,
  senderItems,
} from '../fields.ts'
import { messageConnector, renderedTexts } from './message.ts'
import { postToProvider, readReceipt } from './message-call.ts'

const regions = { US: 'https://api.mailgun.net', EU: 'https://api.eu.mailgun.net' }

const Config = z.object({
  apiKey: RequiredText,
  domain: z.hostname(),
  region: z.enum(['US', 'EU']).default('US'),
  ...senderFields,
  templates: MessageTemplates,
  endpoint: OptionalEndpoint,
})

/** https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages */
export const mailgun = messageConnector({
  factoryId: 'mailgun-email',
  target: 'mailgun',
  type: 'Email',
  name: { en: 'Mailgun' },
  description: { en: 'E-mail through the Mailgun API' },
  config: Config,
  formItems: [
    secretItem('apiKey', 'API key'),
    requiredItem('domain', 'Domain', 'mg.example.com'),
    {
      key: 'region',
      label: 'Region',
      type: 'Select',
      defaultValue: 'US',
      selectItems: [
        { value: 'US', title: 'US' },
        { value: 'EU', title: 'EU' },
      ],
    },
    ...senderItems,
    emailTemplatesItem,
    endpointItem,
  ],
  async send(config, message, context) {
    const { fromEmail, fromName, replyTo } = config
    const { subject, text, html } = renderedTexts(message)
    const answer = await postToProvider(
      {
        ...target(config),
        body: new URLSearchParams({
          from: senderAddress({ email: fromEmail, name: fromName ?? message.brand }),
          to: message.to,
          subject,
          ...(text && { text }),
          ...(html && { html }),
          ...(replyTo && { 'h:Reply-To': replyTo }),
          'o:tracking': 'no',
        }).toString(),
      },
      context,
    )
    readReceipt(answer, z.object({ id: z.string() }))
  },
  // Also with a key that may only send, which cannot read the domain.
  check: (config, context) => checkByEmptyMessage({ ...target(config), body: '' }, context),
})

const target = ({ apiKey, domain, region, endpoint }: z.infer<typeof Config>) => ({
  url: endpoint ?? `${regions[region]}/v3/${domain}/messages`,
  headers: {
    authorization: basicAuthorization('api', apiKey),
    'content-type': 'application/x-www-form-urlencoded',
  },
})
