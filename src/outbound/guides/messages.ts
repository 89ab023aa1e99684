import type { MessageFactoryId } from '../../contract/connectors/connectors.ts'

/** Of a service of the operator's own. */
export const afterFirstStep = `2. Let it answer 2xx when the message was taken, within five seconds.
3. Let it check the token, or better the signature: the body has codes with which one can sign in.

The fields:

- **Address** (\`endpoint\`): of the service, with \`https\`.
- **Authentication**: \`Bearer\` sends the secret as a token, \`Hmac\` signs with it, \`None\` does neither.
- **Token or signing secret** (\`secret\`): at least 32 random characters.

Common mistakes:

- The service answers with a redirect: it is not followed.
- A private address is refused outside development, unless the tenant allows private targets.`

/** How to set up each service for e-mail and text messages (spec/connectors#guides). */
export const messageGuides = {
  'simple-mail-transfer-protocol': `Any mail server that takes mail with a login over [SMTP](https://datatracker.ietf.org/doc/html/rfc5321): of your provider, or your own.

1. Find the server for outgoing mail ("submission"), its port and how TLS begins. Port 25 is closed to Workers.
2. Make a login for this purpose alone. Gmail and Microsoft 365 need an app password or a permission for SMTP.
3. Let the domain of the sender name the server in SPF and sign with DKIM: \`npm run doctor\` shows what is missing.

The fields:

- **Host** (\`host\`): such as \`smtp.example.com\`.
- **Port** (\`port\`): 587 with STARTTLS, or 465 with **TLS from the start** (\`secure\`).
- **Login** (\`auth\`): \`{"type": "login", "user": "…", "pass": "…"}\`.
- **From address** (\`fromEmail\`): one that the login may send from, or \`Example <no-reply@example.com>\`.

Common mistakes:

- No answer: port 465 without *TLS from the start*, or 587 with it.
- *535*: the password of the mailbox in place of an app password.
- The certificate has another name than the host: enter that one under *Name on the certificate*.`,

  'sendgrid-email-service': `Needs an account at [Twilio SendGrid](https://app.sendgrid.com/settings/api_keys).

1. Under *Settings*, *Sender Authentication*, authenticate the domain that you send from and add its DNS records.
2. Under *Settings*, *API Keys*, create a key with **Restricted Access** and *Mail Send*: full access.
3. Copy the key. It is shown once.

The fields:

- **API key** (\`apiKey\`): begins with \`SG.\`.
- **From address** (\`fromEmail\`): of the authenticated domain, or a verified single sender.

Common mistakes:

- *403 The from address does not match a verified Sender Identity*: the domain is not authenticated.
- *401*: the key was deleted, or its ID was copied.
- An account in the EU region sends at another address: enter \`https://api.eu.sendgrid.com/v3/mail/send\` as endpoint.`,

  'mailgun-email': `Needs an account at [Mailgun](https://app.mailgun.com/mg/sending/domains).

1. Add a sending domain, e.g. \`mg.example.com\`, and its DNS records; wait until it is verified.
2. Under the domain, create a **sending key**. It can send for this domain and nothing else.

The fields:

- **API key** (\`apiKey\`): the sending key, or the key of the account.
- **Domain** (\`domain\`): as it is written at Mailgun.
- **Region**: where the domain was created, \`US\` or \`EU\`. It cannot be moved.
- **From address** (\`fromEmail\`): of the domain.

Common mistakes:

- *401* with a right key: the region is the other one.
- The sandbox domain sends only to addresses that have agreed to it.
- *404*: the domain is written in another way than at Mailgun, or was deleted.`,

  'postmark-email': `Needs an account at [Postmark](https://account.postmarkapp.com/servers).

1. Under *Sender Signatures*, add your domain and its DNS records (DKIM and return path).
2. Create a server, or open one, and its *API Tokens*.
3. Ask for approval of the account: until then mail goes only to your own domain.

The fields:

- **Server API token** (\`serverToken\`): of the server; not the token of the account.
- **From address** (\`fromEmail\`): of the confirmed domain or signature.
- **Message stream**: \`outbound\` unless set. It has to be a transactional stream.

Common mistakes:

- *ErrorCode 412*: the account is not approved yet.
- *ErrorCode 400*: the sender is not confirmed.`,

  'resend-email': `Needs an account at [Resend](https://resend.com/api-keys).

1. Under *Domains*, add the domain that you send from with its DNS records, and wait for *Verified*.
2. Under *API Keys*, create a key with **Sending access**, for this domain alone if you like.

The fields:

- **API key** (\`apiKey\`): begins with \`re_\`, shown once.
- **From address** (\`fromEmail\`): of the verified domain.

Common mistakes:

- *403 You can only send testing emails to your own email address*: the domain is not verified.
- A key for one domain refuses the addresses of another one.`,

  'aws-ses-mail': `Needs an account at AWS with [Amazon SES](https://console.aws.amazon.com/ses/home).

1. In the region that you send from, verify a domain identity (Easy DKIM) by its DNS records.
2. Ask for *production access*: in the sandbox mail goes only to verified addresses.
3. In IAM, create a user without a console and with a policy that allows \`ses:SendEmail\` for this identity.
4. Create an access key for the user.

The fields:

- **Access key ID** (\`accessKeyId\`) and **Secret access key** (\`accessKeySecret\`): of step 4. The secret is shown once.
- **Region** (\`region\`): such as \`eu-central-1\`; identities belong to one region.
- **From address** (\`emailAddress\`): of the identity; or **ARN of the From address** for an identity of another account.

Common mistakes:

- *Email address is not verified*: another region, or still the sandbox.
- *SignatureDoesNotMatch*: the credentials for SMTP were entered, which are others.`,

  'aliyun-direct-mail': `Needs an account at Alibaba Cloud with [Direct Mail](https://dm.console.aliyun.com/).

1. Add a sending domain and its DNS records, and wait until it is verified.
2. Create a sender address of the type *triggered emails*.
3. In [RAM](https://ram.console.aliyun.com/users), create a user for API access with the permission *AliyunDirectMailFullAccess*.

The fields:

- **Access key ID** (\`accessKeyId\`) and **Access key secret** (\`accessKeySecret\`): of the RAM user.
- **Sender address** (\`accountName\`): exactly that of step 2.
- **From name**: what receivers see beside it.

Common mistakes:

- *InvalidMailAddress.NotFound*: the sender address does not exist in the region China (Hangzhou). For another region
  enter its endpoint.
- *Forbidden.RAM*: the user lacks the permission.`,

  'cloudflare-send-email': `Sends through [Cloudflare's e-mail service](https://developers.cloudflare.com/email-service/), without a key: by a binding of the Worker.

1. In the dashboard of Cloudflare, onboard the domain that you send from; its zone has to be in the same account.
2. Add to \`wrangler.toml\`: \`send_email = [{ name = "SEND_EMAIL" }]\`
3. Deploy the Worker.

The fields:

- **From address** (\`fromEmail\`): of the onboarded domain.
- **From name** and **Reply-To address**: as receivers see them.

Common mistakes:

- *This deployment has no send_email binding*: step 2 or 3 is missing. The binding is for the tenant \`default\` alone.
- A binding with \`destination_address\` or \`allowed_destination_addresses\` reaches only those addresses.`,

  'http-email': `Hands each message to an HTTP service of your own, which sends it. The body is described in the [specification of webhooks](https://www.standardwebhooks.com/) and the documentation of this connector.

1. Write a service that takes a POST of JSON: \`to\`, \`type\`, \`code\`, \`language\`, \`subject\`, \`text\`, \`html\`.
${afterFirstStep}`,
} satisfies Partial<Record<MessageFactoryId, string>>
