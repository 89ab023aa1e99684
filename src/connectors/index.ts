import type { MessageFactoryId } from '../contract/connectors/connectors.ts'
import type { SocialFactoryId } from '../contract/social/social-connectors.ts'
import { alipayWeb } from './alipay-web.ts'
import { aliyunDirectMail } from './aliyun-dm.ts'
import { aliyunSms } from './aliyun-sms.ts'
import { apple } from './apple.ts'
import { awsSes } from './aws-ses.ts'
import { cloudflareEmail } from './cloudflare-email.ts'
import { discord } from './discord.ts'
import { facebook } from './facebook.ts'
import { feishu } from './feishu.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { httpEmail, httpSms } from './http.ts'
import { kakao } from './kakao.ts'
import { linkedin } from './linkedin.ts'
import { mailgun } from './mailgun.ts'
import type { MessageConnector } from './message.ts'
import { microsoftEntra } from './microsoft-entra.ts'
import { naver } from './naver.ts'
import { oauth2 } from './oauth2.ts'
import { oidc } from './oidc.ts'
import { postmark } from './postmark.ts'
import { resend } from './resend.ts'
import { sendgrid } from './sendgrid.ts'
import { smtp } from './smtp.ts'
import type { SocialProviderConnector } from './social.ts'
import { tencentSms } from './tencent-sms.ts'
import { twilio } from './twilio.ts'
import { wechatWeb } from './wechat-web.ts'
import { xConnector } from './x.ts'

/** What can be installed to send messages, in the order in which it is offered (spec/connectors#message-connectors). */
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

/** What can be installed to sign in with, in the order in which it is offered (spec/connectors#social-connectors). */
export const socialConnectors: Record<SocialFactoryId, SocialProviderConnector> = {
  'google-universal': google,
  'apple-universal': apple,
  'microsoft-entra-universal': microsoftEntra,
  'github-universal': github,
  'facebook-universal': facebook,
  'x-universal': xConnector,
  'linkedin-universal': linkedin,
  'discord-universal': discord,
  'kakao-universal': kakao,
  'naver-universal': naver,
  'feishu-web': feishu,
  'wechat-web': wechatWeb,
  'alipay-web': alipayWeb,
  oidc,
  oauth2,
}

export function findSocialConnector(factoryId: string): SocialProviderConnector | null {
  return Object.values(socialConnectors).find((connector) => connector.factoryId === factoryId) ?? null
}

export function findMessageFactory(factoryId: string): MessageConnector | null {
  return Object.values(messageConnectors).find((connector) => connector.factoryId === factoryId) ?? null
}
