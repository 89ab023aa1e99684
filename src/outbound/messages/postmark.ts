import { z } from 'zod'
import {
  emailTemplatesItem,
  endpointItem,
  formatSender,
  mailFields,
  OptionalText,
  optionalItem,
  RequiredText,
  secretItem,
  senderItems,
} from '../fields.ts'
import { messageApiConnector } from './message-api.ts'

/** Sends email through Postmark: https://postmarkapp.com/developer/api/email-api */
export const postmark = messageApiConnector({
  factoryId: 'postmark-email',
  target: 'postmark',
  type: 'Email',
  name: { en: 'Postmark' },
  description: { en: 'Email through the Postmark API' },
  config: z.object({ serverToken: RequiredText, ...mailFields, messageStream: OptionalText }),
  formItems: [
    secretItem('serverToken', 'Server API token'),
    ...senderItems,
    optionalItem('messageStream', 'Message stream', 'outbound'),
    emailTemplatesItem,
    endpointItem,
  ],
  call: ({ serverToken }) => ({
    url: 'https://api.postmarkapp.com/email',
    headers: { 'x-postmark-server-token': serverToken, accept: 'application/json' },
  }),
  format: 'json',
  content: ({ fromEmail, fromName, replyTo, messageStream }, { to, brand, subject, text, html }) => ({
    From: formatSender({ email: fromEmail, name: fromName ?? brand }),
    To: to,
    ReplyTo: replyTo,
    Subject: subject,
    TextBody: text,
    HtmlBody: html,
    MessageStream: messageStream ?? 'outbound',
    TrackOpens: false,
    TrackLinks: 'None',
  }),
  receipt: z.object({ ErrorCode: z.number() }),
  isAccepted: ({ ErrorCode }) => ErrorCode === 0,
})
