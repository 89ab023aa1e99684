import { z } from 'zod'
import { EmailAddress } from '../../contract/interactions/identifiers.schema.ts'
import { ConnectorFailure } from '../failure.ts'
import {
  emailTemplatesItem,
  endpointItem,
  MessageTemplates,
  OptionalEndpoint,
  OptionalText,
  optionalItem,
  RequiredText,
  requiredItem,
  secretItem,
} from '../fields.ts'
import { aliyunCall } from './aliyun-call.ts'
import { messageConnector, renderedTexts } from './message.ts'
import { readReceipt } from './message-call.ts'

/** https://help.aliyun.com/zh/direct-mail/api-dm-2015-11-23-singlesendmail */
export const aliyunDirectMail = messageConnector({
  factoryId: 'aliyun-direct-mail',
  target: 'aliyun-dm',
  type: 'Email',
  name: { en: 'Aliyun Direct Mail', 'zh-CN': '阿里云邮件推送' },
  description: { en: 'E-mail through Alibaba Cloud Direct Mail', 'zh-CN': '通过阿里云邮件推送发送邮件' },
  config: z.object({
    accessKeyId: RequiredText,
    accessKeySecret: RequiredText,
    accountName: EmailAddress,
    fromAlias: OptionalText,
    templates: MessageTemplates,
    endpoint: OptionalEndpoint,
  }),
  formItems: [
    secretItem('accessKeyId', 'Access key ID'),
    secretItem('accessKeySecret', 'Access key secret'),
    requiredItem('accountName', 'Sender address', 'no-reply@example.com'),
    optionalItem('fromAlias', 'From name'),
    emailTemplatesItem,
    endpointItem,
  ],
  async send({ endpoint, accessKeyId, accessKeySecret, accountName, fromAlias }, message, context) {
    const { subject, text, html } = renderedTexts(message)
    const name = fromAlias ?? message.brand
    const answer = await aliyunCall(
      {
        endpoint: endpoint ?? 'https://dm.aliyuncs.com/',
        accessKeyId,
        accessKeySecret,
        parameters: {
          Action: 'SingleSendMail',
          Version: '2015-11-23',
          AccountName: accountName,
          // 1: the sender address itself, not a random one.
          AddressType: '1',
          ReplyToAddress: 'false',
          ToAddress: message.to,
          Subject: subject,
          ...(name && { FromAlias: name }),
          ...(text && { TextBody: text }),
          ...(html && { HtmlBody: html }),
        },
      },
      context,
    )
    const { Code } = readReceipt(answer, z.object({ RequestId: z.string(), Code: z.string().optional() }))
    if (Code) throw new ConnectorFailure('general', { detail: answer })
  },
})
