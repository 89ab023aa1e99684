import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import type { FormItem, MessageConnectorType } from '../../contract/connectors/connectors.ts'
import {
  emailTemplatesItem,
  MessageTemplates,
  OptionalText,
  RequiredText,
  smsTemplatesItem,
} from '../fields.ts'
import { type Message, type MessageContext, messageConnector } from './message.ts'
import { postToProvider } from './message-call.ts'

/**
 * The configuration of a service that the operator runs, to which messages are sent as JSON
 * (spec/connectors#http-email).
 */
const Config = z
  .object({
    endpoint: RequiredText.refine((value) => URL.canParse(value), 'must be a URL'),
    authentication: z.enum(['None', 'Bearer', 'Hmac']).default('Bearer'),
    secret: OptionalText,
    templates: MessageTemplates,
  })
  .refine(({ authentication, secret }) => authentication === 'None' || secret, {
    path: ['secret'],
    message: 'is required for this authentication',
  })

const formItems: readonly FormItem[] = [
  {
    key: 'endpoint',
    label: 'Address',
    type: 'Text',
    required: true,
    placeholder: 'https://example.com/send',
  },
  {
    key: 'authentication',
    label: 'Authentication',
    type: 'Select',
    defaultValue: 'Bearer',
    selectItems: [
      { value: 'Bearer', title: 'Bearer token' },
      { value: 'Hmac', title: 'Signature (Standard Webhooks)' },
      { value: 'None', title: 'None' },
    ],
  },
  { key: 'secret', label: 'Token or signing secret', type: 'Text', isSecret: true },
]

export const httpEmail = httpConnector('http-email', 'Email', {
  name: { en: 'HTTP e-mail' },
  description: { en: 'Email through an HTTP service of your own' },
})

export const httpSms = httpConnector('http-sms', 'Sms', {
  name: { en: 'HTTP SMS' },
  description: { en: 'SMS through an HTTP service of your own' },
})

function httpConnector(
  factoryId: 'http-email' | 'http-sms',
  type: MessageConnectorType,
  words: { name: Record<string, string>; description: Record<string, string> },
) {
  const templatesItem = type === 'Email' ? emailTemplatesItem : smsTemplatesItem
  return messageConnector({
    factoryId,
    target: factoryId,
    type,
    ...words,
    config: Config,
    formItems: [...formItems, templatesItem],
    send: sendMessage,
  })
}

async function sendMessage(
  config: z.infer<typeof Config>,
  message: Message,
  context: MessageContext,
): Promise<void> {
  const { to, type, code, language, brand, host, link, subject, text, html } = message
  const body = JSON.stringify({ to, type, code, language, brand, host, link, subject, text, html })
  const headers = { 'content-type': 'application/json', ...credentials(config, body, context) }
  await postToProvider({ url: config.endpoint, headers, body }, context)
}

function credentials(
  { authentication, secret = '' }: z.infer<typeof Config>,
  body: string,
  { now }: MessageContext,
): Record<string, string> {
  switch (authentication) {
    case 'None':
      return {}
    case 'Bearer':
      return { authorization: `Bearer ${secret}` }
    case 'Hmac': {
      const id = `msg_${crypto.randomUUID()}`
      const sentAt = new Date(now())
      return {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': new Webhook(secret, { format: 'raw' }).sign(id, sentAt, body),
      }
    }
  }
}
