import { z } from 'zod'
import { ConnectorFailure } from '../failure.ts'
import {
  endpointItem,
  OptionalEndpoint,
  providerTemplatesItem,
  providerTemplatesSchema,
  RequiredText,
  requiredItem,
  secretItem,
} from '../fields.ts'
import { computeHmac, sha256Hex } from '../hmac.ts'
import { messageConnector } from './message.ts'
import { checkReceipt, postToProvider } from './message-call.ts'

/** Sends text messages through Tencent: https://cloud.tencent.com/document/api/382/55981 */
export const tencentSms = messageConnector({
  factoryId: 'tencent-short-message-service',
  target: 'tencent-sms',
  type: 'Sms',
  name: { en: 'Tencent SMS', 'zh-CN': '腾讯云短信' },
  description: { en: 'SMS through Tencent Cloud', 'zh-CN': '通过腾讯云发送短信' },
  config: z.object({
    accessKeyId: RequiredText,
    accessKeySecret: RequiredText,
    signName: RequiredText,
    sdkAppId: RequiredText,
    region: RequiredText,
    templates: providerTemplatesSchema({ templateCode: RequiredText }),
    endpoint: OptionalEndpoint,
  }),
  formItems: [
    secretItem('accessKeyId', 'Secret ID'),
    secretItem('accessKeySecret', 'Secret key'),
    requiredItem('signName', 'Signature name'),
    requiredItem('sdkAppId', 'SDK app ID'),
    requiredItem('region', 'Region', 'ap-guangzhou'),
    providerTemplatesItem,
    endpointItem,
  ],
  async send(config, { to, type, code }, context) {
    const template = config.templates.find(({ usageType }) => usageType === type)
    if (!template) throw new ConnectorFailure('template_not_found', { data: { type } })

    const url = config.endpoint ?? 'https://sms.tencentcloudapi.com/'
    const body = JSON.stringify({
      PhoneNumberSet: [`+${to}`],
      SmsSdkAppId: config.sdkAppId,
      SignName: config.signName,
      TemplateId: template.templateCode,
      TemplateParamSet: [code],
    })
    const seconds = Math.floor(context.now() / 1000)
    const answer = await postToProvider(
      {
        url,
        headers: {
          'content-type': CONTENT_TYPE,
          'x-tc-action': 'SendSms',
          'x-tc-version': '2021-01-11',
          'x-tc-region': config.region,
          'x-tc-timestamp': String(seconds),
          authorization: signature(config, { url, body, seconds }),
        },
        body,
      },
      context,
    )
    // Tencent reports errors with the status 200, for the whole call and for individual recipients.
    checkReceipt(
      answer,
      SendSmsResponse,
      ({ Response }) => !Response.Error && Response.SendStatusSet?.[0]?.Code === 'Ok',
    )
  },
})

const SendSmsResponse = z.object({
  Response: z
    .object({
      Error: z.object({ Code: z.string() }).optional(),
      SendStatusSet: z.array(z.object({ Code: z.string() })).optional(),
    })
    .refine(({ Error: error, SendStatusSet }) => error ?? SendStatusSet),
})

const CONTENT_TYPE = 'application/json; charset=utf-8'

/** Signs a call with TC3-HMAC-SHA256: https://cloud.tencent.com/document/api/382/52072 */
function signature(
  { accessKeyId, accessKeySecret }: { accessKeyId: string; accessKeySecret: string },
  { url, body, seconds }: { url: string; body: string; seconds: number },
): string {
  const { host, pathname } = new URL(url)
  const date = new Date(seconds * 1000).toISOString().slice(0, 10)
  const scope = `${date}/sms/tc3_request`
  const headers = `content-type:${CONTENT_TYPE}\nhost:${host}\n`
  const request = ['POST', pathname, '', headers, 'content-type;host', sha256Hex(body)].join('\n')
  const text = ['TC3-HMAC-SHA256', seconds, scope, sha256Hex(request)].join('\n')

  const dateKey = computeHmac('sha256', `TC3${accessKeySecret}`, date)
  const serviceKey = computeHmac('sha256', dateKey, 'sms')
  const key = computeHmac('sha256', serviceKey, 'tc3_request')
  const signatureHex = computeHmac('sha256', key, text).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=content-type;host, Signature=${signatureHex}`
}
