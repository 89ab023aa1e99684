import type { MessageFactoryId } from '../contract/connectors.ts'
import { aliyunDirectMail } from './aliyun-dm.ts'
import { aliyunSms } from './aliyun-sms.ts'
import { awsSes } from './aws-ses.ts'
import { cloudflareEmail } from './cloudflare-email.ts'
import { httpEmail, httpSms } from './http.ts'
import { mailgun } from './mailgun.ts'
import type { MessageConnector } from './message.ts'
import { postmark } from './postmark.ts'
import { resend } from './resend.ts'
import { sendgrid } from './sendgrid.ts'
import { smtp } from './smtp.ts'
import { tencentSms } from './tencent-sms.ts'
import { twilio } from './twilio.ts'

/** Whatever can be installed to send messages (contract 9.2, decision 38), in the order it is offered. */
export const messageConnectors: Record<MessageFactoryId, MessageConnector> = {
  'simple-mail-transfer-protocol': smtp,
  'sendgrid-email-service': sendgrid,
  'mailgun-email': mailgun,
  'postmark-email': postmark,
  'resend-email': resend,
  'aws-ses-mail': awsSes,
  'aliyun-direct-mail': aliyunDirectMail,
  'cloudflare-send-email': cloudflareEmail,
  'http-email': httpEmail,
  'twilio-short-message-service': twilio,
  'aliyun-short-message-service': aliyunSms,
  'tencent-short-message-service': tencentSms,
  'http-sms': httpSms,
}

export function findMessageFactory(factoryId: string): MessageConnector | null {
  return Object.values(messageConnectors).find((connector) => connector.factoryId === factoryId) ?? null
}
