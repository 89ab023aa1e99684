import type { MessageFactoryId } from '../contract/connectors/connectors.ts'
import type { SocialFactoryId } from '../contract/social/social-connectors.ts'
import { aliyunDirectMail } from './messages/aliyun-dm.ts'
import { aliyunSms } from './messages/aliyun-sms.ts'
import { awsSes } from './messages/aws-ses.ts'
import { cloudflareEmail } from './messages/cloudflare-email.ts'
import { httpEmail, httpSms } from './messages/http.ts'
import { mailgun } from './messages/mailgun.ts'
import type { MessageConnector } from './messages/message.ts'
import { postmark } from './messages/postmark.ts'
import { resend } from './messages/resend.ts'
import { sendgrid } from './messages/sendgrid.ts'
import { smtp } from './messages/smtp.ts'
import { tencentSms } from './messages/tencent-sms.ts'
import { twilio } from './messages/twilio.ts'
import { alipayWeb } from './social/alipay-web.ts'
import { apple } from './social/apple.ts'
import { discord } from './social/discord.ts'
import { facebook } from './social/facebook.ts'
import { feishu } from './social/feishu.ts'
import { github } from './social/github.ts'
import { google } from './social/google.ts'
import { kakao } from './social/kakao.ts'
import { linkedin } from './social/linkedin.ts'
import { microsoftEntra } from './social/microsoft-entra.ts'
import { naver } from './social/naver.ts'
import { oauth2 } from './social/oauth2.ts'
import { oidc } from './social/oidc.ts'
import type { SocialProviderConnector } from './social/social.ts'
import { wechatWeb } from './social/wechat-web.ts'
import { xConnector } from './social/x.ts'

/** The connectors that send messages, in display order (spec/connectors#message-connectors). */
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

/** The connectors for social sign-in, in display order (spec/connectors#social-connectors). */
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
