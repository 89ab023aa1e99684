import { z } from 'zod'
import { EmailAddress } from '../../contract/interactions/identifiers.schema.ts'
import {
  emailTemplatesItem,
  endpointItem,
  MessageTemplates,
  OptionalEndpoint,
  OptionalText,
  optionalItem,
  requiredItem,
} from '../fields.ts'
import { aliyunFields, aliyunItems, callAliyun } from './aliyun-call.ts'
import { getEmailParts, messageConnector } from './message.ts'
import { checkReceipt } from './message-call.ts'

/** Sends email through Direct Mail: https://help.aliyun.com/zh/direct-mail/api-dm-2015-11-23-singlesendmail */
export const aliyunDirectMail = messageConnector({
  factoryId: 'aliyun-direct-mail',
  target: 'aliyun-dm',
  type: 'Email',
  name: { en: 'Aliyun Direct Mail', 'zh-CN': '阿里云邮件推送' },
  description: { en: 'Email through Alibaba Cloud Direct Mail', 'zh-CN': '通过阿里云邮件推送发送邮件' },
  config: z.object({
    ...aliyunFields,
    accountName: EmailAddress,
    fromAlias: OptionalText,
    templates: MessageTemplates,
    endpoint: OptionalEndpoint,
  }),
  formItems: [
    ...aliyunItems,
    requiredItem('accountName', 'Sender address', 'no-reply@example.com'),
    optionalItem('fromAlias', 'From name'),
    emailTemplatesItem,
    endpointItem,
  ],
  async send(config, message, context) {
    const { subject, text, html } = getEmailParts(message)
    const name = config.fromAlias ?? message.brand
    const action = {
      Action: 'SingleSendMail',
      Version: '2015-11-23',
      AccountName: config.accountName,
      // The value 1 selects the configured sender address instead of a random one.
      AddressType: '1',
      ReplyToAddress: 'false',
      ToAddress: message.to,
      Subject: subject,
      ...(name && { FromAlias: name }),
      ...(text && { TextBody: text }),
      ...(html && { HtmlBody: html }),
    }
    const answer = await callAliyun(config.endpoint ?? 'https://dm.aliyuncs.com/', config, action, context)
    checkReceipt(
      answer,
      z.object({ RequestId: z.string(), Code: z.string().optional() }),
      ({ Code }) => !Code,
    )
  },
})
