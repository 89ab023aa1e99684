import { AwsV4Signer } from 'aws4fetch'
import { z } from 'zod'
import { checkWithEmptyMessage } from '../credential-check.ts'
import {
  emailTemplatesItem,
  endpointItem,
  formatSender,
  MessageTemplates,
  OptionalAddress,
  OptionalEndpoint,
  OptionalText,
  optionalItem,
  RequiredText,
  requiredItem,
  SenderAddress,
  secretItem,
} from '../fields.ts'
import { getEmailParts, type MessageContext, messageConnector } from './message.ts'
import { checkReceipt, type MessageCall, postToProvider } from './message-call.ts'

const Config = z
  .object({
    accessKeyId: RequiredText,
    accessKeySecret: RequiredText,
    // The region is validated because it becomes part of a host name.
    region: z.string().regex(/^[a-z\d-]+$/),
    emailAddress: OptionalText.pipe(SenderAddress.optional()),
    emailAddressIdentityArn: OptionalText,
    feedbackForwardingEmailAddress: OptionalAddress,
    feedbackForwardingEmailAddressIdentityArn: OptionalText,
    configurationSetName: OptionalText,
    templates: MessageTemplates,
    endpoint: OptionalEndpoint,
  })
  .refine(({ emailAddress, emailAddressIdentityArn }) => emailAddress ?? emailAddressIdentityArn, {
    path: ['emailAddress'],
    message: 'is required without emailAddressIdentityArn',
  })

/** Sends email through Amazon SES: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
export const awsSes = messageConnector({
  factoryId: 'aws-ses-mail',
  target: 'aws-ses',
  type: 'Email',
  name: { en: 'Amazon SES' },
  description: { en: 'Email through the Amazon Simple Email Service, version 2' },
  config: Config,
  formItems: [
    secretItem('accessKeyId', 'Access key ID'),
    secretItem('accessKeySecret', 'Secret access key'),
    requiredItem('region', 'Region', 'eu-central-1'),
    optionalItem('emailAddress', 'From address', 'no-reply@example.com'),
    optionalItem('emailAddressIdentityArn', 'ARN of the From address'),
    optionalItem('feedbackForwardingEmailAddress', 'Feedback address'),
    optionalItem('feedbackForwardingEmailAddressIdentityArn', 'ARN of the feedback address'),
    optionalItem('configurationSetName', 'Configuration set'),
    emailTemplatesItem,
    endpointItem,
  ],
  async send(config, message, context) {
    const { subject, text, html } = getEmailParts(message)
    const sender = config.emailAddress
    const content = (data: string) => ({ Data: data, Charset: 'UTF-8' })
    const body = JSON.stringify({
      FromEmailAddress: sender && formatSender({ ...sender, name: sender.name || message.brand }),
      FromEmailAddressIdentityArn: config.emailAddressIdentityArn,
      FeedbackForwardingEmailAddress: config.feedbackForwardingEmailAddress,
      FeedbackForwardingEmailAddressIdentityArn: config.feedbackForwardingEmailAddressIdentityArn,
      ConfigurationSetName: config.configurationSetName,
      Destination: { ToAddresses: [message.to] },
      Content: {
        Simple: {
          Subject: content(subject),
          Body: { ...(text && { Text: content(text) }), ...(html && { Html: content(html) }) },
        },
      },
    })
    const answer = await postToProvider(await signedCall(config, body, context), context)
    checkReceipt(answer, z.object({ MessageId: z.string() }))
  },
  check: async (config, context) => checkWithEmptyMessage(await signedCall(config, '{}', context), context),
})

async function signedCall(
  config: z.infer<typeof Config>,
  body: string,
  { now }: MessageContext,
): Promise<MessageCall> {
  const { url, headers } = await new AwsV4Signer({
    url: config.endpoint ?? `https://email.${config.region}.amazonaws.com/v2/email/outbound-emails`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    accessKeyId: config.accessKeyId,
    secretAccessKey: config.accessKeySecret,
    service: 'ses',
    region: config.region,
    datetime: new Date(now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  }).sign()
  return { url: url.href, headers: Object.fromEntries(headers), body }
}
