import type { MessageFactoryId } from '../../contract/connectors/connectors.ts'

/** The setup steps, fields and common mistakes for a service that the operator runs. */
export const customServiceSteps = `2. The service must respond with 2xx within five seconds once it has accepted the message.
3. The service must check the token or, better, the signature: the body contains codes that sign people in.

The fields:

- **Address** (\`endpoint\`): the address of the service, with \`https\`.
- **Authentication**: \`Bearer\` sends the secret as a token, \`Hmac\` signs with it, and \`None\` does neither.
- **Token or signing secret** (\`secret\`): at least 32 random characters.

Common mistakes:

- The service responds with a redirect, which is not followed.
- A private address is refused outside development, unless the tenant allows private targets.`

/** The setup guides for email services (spec/connectors#guides). */
export const messageGuides = {
  'simple-mail-transfer-protocol': `Works with any mail server that accepts mail with a login over [SMTP](https://datatracker.ietf.org/doc/html/rfc5321): your provider's or your own.

1. Find the server for outgoing mail ("submission"), its port and how TLS begins. Workers cannot use port 25.
2. Create a login for this purpose only. Gmail and Microsoft 365 need an app password or permission to use SMTP.
3. Include the server in the SPF record of the sender's domain and sign with DKIM. \`npm run doctor\` shows what is missing.

The fields:

- **Host** (\`host\`): for example \`smtp.example.com\`.
- **Port** (\`port\`): 587 with STARTTLS, or 465 with **TLS from the start** (\`secure\`).
- **User name** (\`auth.user\`) and **Password** (\`auth.pass\`): the login of step 2.
- **From address** (\`fromEmail\`): an address that the login may send from; \`Example <no-reply@example.com>\` adds a name.

Common mistakes:

- No response: port 465 without *TLS from the start*, or 587 with it.
- *535*: you entered the password of the mailbox instead of an app password.
- The name on the certificate differs from the host: enter it under *Name on the certificate*.`,

  'sendgrid-email-service': `You need an account at [Twilio SendGrid](https://app.sendgrid.com/settings/api_keys).

1. Under *Settings*, *Sender Authentication*, authenticate the domain you send from and add its DNS records.
2. Under *Settings*, *API Keys*, create a key with **Restricted Access** and *Mail Send*: full access.
3. Copy the key. It is shown only once.

The fields:

- **API key** (\`apiKey\`): it begins with \`SG.\`.
- **From address** (\`fromEmail\`): an address of the authenticated domain, or a verified single sender.

Common mistakes:

- *403 The from address does not match a verified Sender Identity*: the domain is not authenticated.
- *401*: the key was deleted, or you copied its ID.
- An account in the EU region uses another address: enter \`https://api.eu.sendgrid.com/v3/mail/send\` as the endpoint.`,

  'mailgun-email': `You need an account at [Mailgun](https://app.mailgun.com/mg/sending/domains).

1. Add a sending domain, such as \`mg.example.com\`, and its DNS records. Wait until it is verified.
2. Under the domain, create a **sending key**. It can only send, and only for this domain.

The fields:

- **API key** (\`apiKey\`): the sending key or the account's key.
- **Domain** (\`domain\`): spelled as at Mailgun.
- **Region**: where the domain was created, \`US\` or \`EU\`. A domain cannot be moved.
- **From address** (\`fromEmail\`): an address of the domain.

Common mistakes:

- *401* with a valid key: choose the other region.
- The sandbox domain sends only to addresses that have agreed to it.
- *404*: the domain is misspelled or was deleted.`,

  'postmark-email': `You need an account at [Postmark](https://account.postmarkapp.com/servers).

1. Under *Sender Signatures*, add your domain and its DNS records (DKIM and return path).
2. Create or open a server, and open its *API Tokens*.
3. Request approval of the account. Until then, you can send mail only to your own domain.

The fields:

- **Server API token** (\`serverToken\`): the token of the server, not that of the account.
- **From address** (\`fromEmail\`): an address of the confirmed domain or signature.
- **Message stream**: the default is \`outbound\`. It must be a transactional stream.

Common mistakes:

- *ErrorCode 412*: the account is not approved yet.
- *ErrorCode 400*: the sender is not confirmed.`,

  'resend-email': `You need an account at [Resend](https://resend.com/api-keys).

1. Under *Domains*, add the domain you send from with its DNS records, and wait for *Verified*.
2. Under *API Keys*, create a key with **Sending access**. You can restrict it to this domain.

The fields:

- **API key** (\`apiKey\`): it begins with \`re_\` and is shown only once.
- **From address** (\`fromEmail\`): an address of the verified domain.

Common mistakes:

- *403 You can only send testing emails to your own email address*: the domain is not verified.
- A key for one domain cannot send from the addresses of another.`,

  'aws-ses-mail': `You need an AWS account with [Amazon SES](https://console.aws.amazon.com/ses/home).

1. In the region you send from, verify a domain identity (Easy DKIM) with its DNS records.
2. Request *production access*: in the sandbox, you can send mail only to verified addresses.
3. In IAM, create a user without console access and with a policy that allows \`ses:SendEmail\` for this identity.
4. Create an access key for the user.

The fields:

- **Access key ID** (\`accessKeyId\`) and **Secret access key** (\`accessKeySecret\`): those of step 4. The secret is shown only once.
- **Region** (\`region\`): for example \`eu-central-1\`. Identities belong to one region.
- **From address** (\`emailAddress\`): an address of the identity, or **ARN of the From address** for an identity of another account.

Common mistakes:

- *Email address is not verified*: the region is wrong, or the account is still in the sandbox.
- *SignatureDoesNotMatch*: you entered the SMTP credentials, which are different.`,

  'aliyun-direct-mail': `You need an Alibaba Cloud account with [Direct Mail](https://dm.console.aliyun.com/).

1. Add a sending domain and its DNS records, and wait until it is verified.
2. Create a sender address of type *triggered emails*.
3. In [RAM](https://ram.console.aliyun.com/users), create a user for API access with the permission *AliyunDirectMailFullAccess*.

The fields:

- **Access key ID** (\`accessKeyId\`) and **Access key secret** (\`accessKeySecret\`): those of the RAM user.
- **Sender address** (\`accountName\`): exactly the address of step 2.
- **From name**: the name that recipients see next to it.

Common mistakes:

- *InvalidMailAddress.NotFound*: the sender address does not exist in the region China (Hangzhou). For another region,
  enter its endpoint.
- *Forbidden.RAM*: the user lacks the permission.`,

  'cloudflare-send-email': `Sends through [Cloudflare's email service](https://developers.cloudflare.com/email-service/) with a binding of the Worker, so it needs no key.

1. In the Cloudflare dashboard, onboard the domain you send from. Its zone must be in the same account.
2. Add to \`wrangler.local.toml\`: \`send_email = [{ name = "SEND_EMAIL" }]\`
3. Deploy the Worker.

The fields:

- **From address** (\`fromEmail\`): an address of the onboarded domain.
- **From name** and **Reply-To address**: as recipients see them.

Common mistakes:

- *This deployment has no send_email binding*: step 2 or 3 is missing. Only the tenant \`default\` can use the binding.
- A binding with \`destination_address\` or \`allowed_destination_addresses\` reaches only those addresses.`,

  'http-email': `Passes each message to an HTTP service of your own, which sends it. Signatures follow the [Standard Webhooks specification](https://www.standardwebhooks.com/); the body is described in the documentation of this connector.

1. Write a service that accepts a POST request with JSON: \`to\`, \`type\`, \`code\`, \`language\`, \`subject\`, \`text\`, \`html\`.
${customServiceSteps}`,
} satisfies Partial<Record<MessageFactoryId, string>>
