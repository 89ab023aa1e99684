import type { MessageFactoryId } from '../../contract/connectors/connectors.ts'
import { customServiceSteps } from './messages.ts'

/** The setup guides for SMS services (spec/connectors#guides). */
export const textMessageGuides = {
  'twilio-short-message-service': `You need an account at [Twilio](https://console.twilio.com/).

1. Buy a number, or register a sender ID, for the countries of your users. Many require a registration (in the USA: A2P 10DLC).
2. Under *Messaging*, *Services*, create a messaging service and add the number to its sender pool.
3. Under *Messaging*, *Geo permissions*, allow only the countries you send to, which limits fraud.

The fields:

- **Account SID** (\`accountSID\`): it begins with \`AC\` and is on the first page of the console.
- **Auth token** (\`authToken\`): on the same page.
- **Messaging service SID** (\`fromMessagingServiceSID\`): it begins with \`MG\`.

Common mistakes:

- *20003*: the token was rotated, or belongs to the test credentials.
- *21608*: a trial account sends only to verified numbers.
- *21408*: the country is not allowed under *Geo permissions*.`,

  'aliyun-short-message-service': `You need an Alibaba Cloud account with [Short Message Service](https://dysms.console.aliyun.com/).

1. Apply for a signature and for templates, one for each type of message. Both are reviewed.
2. Use the variable \`code\` in the templates: "Your code is \${code}."
3. In [RAM](https://ram.console.aliyun.com/users), create a user for API access with the permission *AliyunDysmsFullAccess*.

The fields:

- **Access key ID** (\`accessKeyId\`) and **Access key secret** (\`accessKeySecret\`): those of the RAM user.
- **Signature name** (\`signName\`): exactly as it was approved.
- **Templates** (\`templates\`): a list of \`{"usageType": "SignIn", "templateCode": "SMS_…"}\`, one for SignIn, Register,
  ForgotPassword and Generic.

Common mistakes:

- *isv.SMS_SIGNATURE_ILLEGAL* or *isv.SMS_TEMPLATE_ILLEGAL*: it is not approved, or belongs to another account.
- Numbers outside mainland China need a separate template: \`{"china": "SMS_…", "overseas": "SMS_…"}\`.
- Numbers that begin with +1 (the USA, Canada, the Caribbean) get no messages, because Aliyun takes them for Chinese numbers.`,

  'tencent-short-message-service': `You need a Tencent Cloud account with [SMS](https://console.cloud.tencent.com/smsv2).

1. Create an application, and apply for a signature and for templates. Both are reviewed.
2. Use one variable in the templates, the code: "Your code is {1}."
3. In [CAM](https://console.cloud.tencent.com/cam/capi), create an API key for a sub-user with the permission *QcloudSMSFullAccess*.

The fields:

- **Secret ID** (\`accessKeyId\`) and **Secret key** (\`accessKeySecret\`): those of the sub-user.
- **Signature name** (\`signName\`): its content, not its ID.
- **SDK app ID** (\`sdkAppId\`): the ID of the application, which begins with \`1400\`.
- **Region** (\`region\`): for example \`ap-guangzhou\`, or \`ap-singapore\` for an international account.
- **Templates** (\`templates\`): a list of \`{"usageType": "SignIn", "templateCode": "…"}\`, one for SignIn, Register,
  ForgotPassword and Generic.

Common mistakes:

- *FailedOperation.TemplateIncorrectOrUnapproved*: the template is not approved, or has another number of variables.
- *LimitExceeded*: Tencent limits the messages to one number. Change the limit in the settings of the application.`,

  'http-sms': `Passes each message to an HTTP service of your own, which sends it. Signatures follow the [Standard Webhooks specification](https://www.standardwebhooks.com/).

1. Write a service that accepts a POST request with JSON: \`to\` (digits, with the country code), \`type\`, \`code\`, \`language\`, \`text\`.
${customServiceSteps}`,
} satisfies Partial<Record<MessageFactoryId, string>>
