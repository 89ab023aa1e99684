import { z } from 'zod'
import { checkByEmptyMessage } from '../credential-check.ts'
import {
  emailTemplatesItem,
  endpointItem,
  MessageTemplates,
  OptionalEndpoint,
  RequiredText,
  secretItem,
  senderAddress,
  senderFields,
  senderItems,
} from '../fields.ts'
import { messageConnector, renderedTexts } from './message.ts'
import { postToProvider, readReceipt } from './message-call.ts'

/** https://resend.com/docs/api-reference/emails/send-email */
export const resend = messageConnector({
  factoryId: 'resend-email',
  target: 'resend',
  type: 'Email',
  name: { en: 'Resend' },
  description: { en: 'E-mail through the Resend API' },
  config: z.object({
    apiKey: RequiredText,
    ...senderFields,
    templates: MessageTemplates,
    endpoint: OptionalEndpoint,
  }),
  formItems: [secretItem('apiKey', 'API key', 're_…'), ...senderItems, emailTemplatesItem, endpointItem],
  async send({ apiKey, fromEmail, fromName, replyTo, endpoint }, message, context) {
    const { subject, text, html } = renderedTexts(message)
    const answer = await postToProvider(
      {
        ...target({ apiKey, endpoint }),
        body: JSON.stringify({
          from: senderAddress({ email: fromEmail, name: fromName ?? message.brand }),
          to: [message.to],
          reply_to: replyTo,
          subject,
          text,
          html,
        }),
      },
      context,
    )
    readReceipt(answer, z.object({ id: z.string() }))
  },
  check: (config, context) => checkByEmptyMessage({ ...target(config), body: '{}' }, context),
})

const target = ({ apiKey, endpoint }: { apiKey: string; endpoint?: string | undefined }) => ({
  url: endpoint ?? 'https://api.resend.com/emails',
  headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
})
