import { z } from 'zod'
import { ConnectorFailure } from '../failure.ts'
import {
  endpointItem,
  OptionalEndpoint,
  providerTemplatesItem,
  providerTemplatesSchema,
  RequiredText,
  requiredItem,
} from '../fields.ts'
import { aliyunFields, aliyunItems, callAliyun } from './aliyun-call.ts'
import { messageConnector } from './message.ts'
import { checkReceipt } from './message-call.ts'

const TemplateCode = z.union([RequiredText, z.object({ china: RequiredText, overseas: RequiredText })])

/**
 * Sends text messages through Alibaba Cloud:
 * https://help.aliyun.com/zh/sms/developer-reference/api-dysmsapi-2017-05-25-sendsms
 */
export const aliyunSms = messageConnector({
  factoryId: 'aliyun-short-message-service',
  target: 'aliyun-sms',
  type: 'Sms',
  name: { en: 'Aliyun SMS', 'zh-CN': '阿里云短信' },
  description: { en: 'SMS through Alibaba Cloud', 'zh-CN': '通过阿里云发送短信' },
  config: z.object({
    ...aliyunFields,
    signName: RequiredText,
    templates: providerTemplatesSchema({ templateCode: TemplateCode }),
    endpoint: OptionalEndpoint,
  }),
  formItems: [
    ...aliyunItems,
    requiredItem('signName', 'Signature name'),
    {
      ...providerTemplatesItem,
      tooltip: 'templateCode can be {"china": "…", "overseas": "…"} if the two differ',
    },
    endpointItem,
  ],
  async send(config, { to, type, code }, context) {
    const template = config.templates.find(({ usageType }) => usageType === type)
    if (!template) throw new ConnectorFailure('template_not_found', { data: { type } })
    if (LOOKS_DOMESTIC.test(to)) throw new ConnectorFailure('invalid_request_parameters')

    const action = {
      Action: 'SendSms',
      Version: '2017-05-25',
      PhoneNumbers: to,
      SignName: config.signName,
      TemplateCode: codeFor(to, template.templateCode),
      TemplateParam: JSON.stringify({ code }),
    }
    const endpoint = config.endpoint ?? 'https://dysmsapi.aliyuncs.com/'
    // Alibaba Cloud reports some errors with the status 200.
    const answer = await callAliyun(endpoint, config, action, context)
    checkReceipt(answer, z.object({ Code: z.string() }), ({ Code }) => Code === 'OK')
  },
})

/**
 * Matches numbers that Alibaba Cloud would misroute. It treats 11 digits that begin with 1 as a mobile number in
 * mainland China, even after a plus sign. International numbers of this form belong to the USA, Canada and their
 * neighbours: a code for +1 301 234 5678 would be sent to +86 130 1234 5678.
 */
const LOOKS_DOMESTIC = /^1\d{10}$/

const MAINLAND = /^861\d{10}$/

function codeFor(to: string, templateCode: z.infer<typeof TemplateCode>): string {
  if (typeof templateCode === 'string') return templateCode
  return MAINLAND.test(to) ? templateCode.china : templateCode.overseas
}
