import type { MessageFactoryId } from '../../contract/connectors/connectors.ts'
import { afterFirstStep } from './messages.ts'

/** How to set up each service for text messages (spec/connectors#guides). */
export const textMessageGuides = {
  'twilio-short-message-service': `Needs an account at [Twilio](https://console.twilio.com/).

1. Buy a number, or register a sender ID, for the countries of your users. Many need a registration (for the USA A2P 10DLC).
2. Under *Messaging*, *Services*, create a messaging service and add the number to its sender pool.
3. Under *Messaging*, *Geo permissions*, allow only the countries that you send to: this is what limits fraud.

The fields:

- **Account SID** (\`accountSID\`): begins with \`AC\`, on the first page of the console.
- **Auth token** (\`authToken\`): on the same page.
- **Messaging service SID** (\`fromMessagingServiceSID\`): begins with \`MG\`.

Common mistakes:

- *20003*: the token was rotated, or is the one of the test credentials.
- *21608*: a trial account sends only to verified numbers.
- *21408*: the country is not allowed under *Geo permissions*.`,

  'aliyun-short-message-service': `Needs an account at Alibaba Cloud with [Short Message Service](https://dysms.console.aliyun.com/).

1. Apply for a signature and for templates, one for each type of message. Both are reviewed.
2. The templates have the variable \`code\`: "Your code is \${code}."
3. In [RAM](https://ram.console.aliyun.com/users), create a user for API access with the permission *AliyunDysmsFullAccess*.

The fields:

- **Access key ID** (\`accessKeyId\`) and **Access key secret** (\`accessKeySecret\`): of the RAM user.
- **Signature name** (\`signName\`): exactly as it was approved.
- **Templates** (\`templates\`): a list of \`{"usageType": "SignIn", "templateCode": "SMS_…"}\`, one for SignIn, Register,
  ForgotPassword and Generic.

Common mistakes:

- *isv.SMS_SIGNATURE_ILLEGAL* or *isv.SMS_TEMPLATE_ILLEGAL*: not approved, or of another account.
- Numbers outside mainland China need a template of their own: \`{"china": "SMS_…", "overseas": "SMS_…"}\`.
- Numbers that begin with +1 (the USA, Canada, the Caribbean) get no messages: Aliyun takes them for Chinese ones.`,

  'tencent-short-message-service': `Needs an account at Tencent Cloud with [SMS](https://console.cloud.tencent.com/smsv2).

1. Create an application, and apply for a signature and for templates. Both are reviewed.
2. The templates have one variable, the code: "Your code is {1}."
3. In [CAM](https://console.cloud.tencent.com/cam/capi), create an API key for a sub-user with the permission *QcloudSMSFullAccess*.

The fields:

- **Secret ID** (\`accessKeyId\`) and **Secret key** (\`accessKeySecret\`): of the sub-user.
- **Signature name** (\`signName\`): its content, not its ID.
- **SDK app ID** (\`sdkAppId\`): of the application, beginning with \`1400\`.
- **Region** (\`region\`): such as \`ap-guangzhou\`, or \`ap-singapore\` for an international account.
- **Templates** (\`templates\`): a list of \`{"usageType": "SignIn", "templateCode": "…"}\`, one for SignIn, Register,
  ForgotPassword and Generic.

Common mistakes:

- *FailedOperation.TemplateIncorrectOrUnapproved*: not approved, or with another number of variables.
- *LimitExceeded*: Tencent limits messages to one number; change it in the settings of the application.`,

  'http-sms': `Hands each message to an HTTP service of your own, which sends it. Signatures follow the [specification of webhooks](https://www.standardwebhooks.com/).

1. Write a service that takes a POST of JSON: \`to\` (digits, with the country code), \`type\`, \`code\`, \`language\`, \`text\`.
${afterFirstStep}`,
} satisfies Partial<Record<MessageFactoryId, string>>
