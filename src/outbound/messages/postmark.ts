import { z } from 'zod'
import { checkByEmptyMessage } from '../credential-check.ts'
import { ConnectorFailure } from '../failure.ts'
import {
  emailTemplatesItem,
  endpointItem,
  MessageTemplates,
  OptionalEndpoint,
  OptionalText,
  optionalItem,
  RequiredText,
  secretItem,
  senderAddress,
  senderFields,
  senderItems,
} from '../fields.ts'
import { messageConnector, renderedTexts } from './message.ts'
import { postToProvider, readReceipt } from './message-call.ts'

/** https://postmarkapp.com/developer/api/email-api */
export const postmark = messageConnector({
  factoryId: 'postmark-email',
  target: 'postmark',
  type: 'Email',
  name: { en: 'Postmark' },
  description: { en: 'E-mail through the Postmark API' },
  config: z.object({
    serverToken: RequiredText,
    ...senderFields,
    messageStream: OptionalText,
    templates: MessageTemplates,
    endpoint: OptionalEndpoint,
  }),
  formItems: [
    secretItem('serverToken', 'Server API token'),
    ...senderItems,
    optionalItem('messageStream', 'Message stream', 'outbound'),
    emailTemplatesItem,
    endpointItem,
  ],
  async send({ serverToken, fromEmail, fromName, replyTo, messageStream, endpoint }, message, context) {
    const { subject, text, html } = renderedTexts(message)
    const answer = await postToProvider(
      {
        ...target({ serverToken, endpoint }),
        body: JSON.stringify({
          From: senderAddress({ email: fromEmail, name: fromName ?? message.brand }),
          To: message.to,
          ReplyTo: replyTo,
          Subject: subject,
          TextBody: text,
          HtmlBody: html,
          MessageStream: messageStream ?? 'outbound',
          TrackOpens: false,
          TrackLinks: 'None',
        }),
      },
      context,
    )
    const { ErrorCode } = readReceipt(answer, z.object({ ErrorCode: z.number() }))
    if (ErrorCode !== 0) throw new ConnectorFailure('general', { detail: answer })
  },
  check: (config, context) => checkByEmptyMessage({ ...target(config), body: '{}' }, context),
})

const target = ({ serverToken, endpoint }: { serverToken: string; endpoint?: string | undefined }) => ({
  url: endpoint ?? 'https://api.postmarkapp.com/email',
  headers: {
    'x-postmark-server-token': serverToken,
    'content-type': 'application/json',
    accept: 'application/json',
  },
})
