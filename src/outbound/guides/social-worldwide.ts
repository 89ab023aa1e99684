import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'

/**
 * The setup guides for social providers used worldwide (spec/connectors#guides). `{{callbackUrl}}` is a
 * placeholder for the connector's callback URL.
 */
export const worldwideGuides = {
  'google-universal': `Create an OAuth client in the [Google Cloud console](https://console.cloud.google.com/apis/credentials).

1. Choose or create a project.
2. Under *Google Auth Platform*, describe your application: its name, a support address, and the audience **External** unless
   only people in your own organization sign in.
3. Under *Data access*, the scopes \`openid\`, \`email\` and \`profile\` are enough. They need no review by Google.
4. Under *Clients*, create a client of type **Web application**.
5. Enter this address under *Authorized redirect URIs*: \`{{callbackUrl}}\`
6. Copy what Google shows. This is the only time the secret is shown in full.

The fields:

- **Client ID** (\`clientId\`): it ends with \`.apps.googleusercontent.com\`.
- **Client secret** (\`clientSecret\`): it begins with \`GOCSPX-\`.

Common mistakes:

- \`redirect_uri_mismatch\`: the address at Google differs, often by \`http\` instead of \`https\` or by a trailing slash. A
  change can take a few minutes.
- Only test users can sign in: the application still has the status *Testing*. Publish it.`,

  'apple-universal': `Sign in with Apple requires membership in the [Apple Developer Program](https://developer.apple.com/account/resources/identifiers/list).

1. Under *Identifiers*, create an **App ID** with the capability *Sign in with Apple*, unless your app already has one.
2. Create a **Services ID**. Its identifier is the client ID. Enable *Sign in with Apple* and configure it: choose that
   App ID as the primary one, enter your host under *Domains*, and enter this return URL: \`{{callbackUrl}}\`
3. Under *Keys*, create a key with *Sign in with Apple* for that App ID and download the file. You can download it only once.

The fields:

- **Services ID** (\`clientId\`): for example \`com.example.web\`, not the bundle ID of an app.
- **Team ID** (\`teamId\`): ten characters, at the top right of the developer site.
- **Key ID** (\`keyId\`): ten characters, shown with the key and in the name of its file.
- **Private key** (\`privateKey\`): the whole content of the \`.p8\` file, including its first and last line.

Common mistakes:

- \`invalid_client\`: the key belongs to another team or was revoked, or you entered the bundle ID as the client ID.
- Apple does not accept return URLs with \`http\`, \`localhost\` or an IP address.
- Users can hide their address. Apple forwards mail to such an address only from senders that are registered with Apple.`,

  'microsoft-entra-universal': `Register an application in the [Microsoft Entra admin center](https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade).

1. Choose *New registration*. Under *Supported account types*, choose who can sign in.
2. For the redirect URI, choose the platform **Web** and enter: \`{{callbackUrl}}\`
3. Under *Certificates & secrets*, create a client secret and copy its **value** immediately.
4. Under *Token configuration*, add the optional claims \`email\` and \`xms_edov\` to the ID token: without
   \`xms_edov\`, Vestibule cannot tell who owns an organization's address and accepts none.

The fields:

- **Client ID** (\`clientId\`): *Application (client) ID* on the overview page.
- **Client secret** (\`clientSecret\`): the value of the secret, not its ID.
- **Tenant** (\`tenantId\`): \`common\`, \`organizations\`, \`consumers\`, or the *Directory (tenant) ID* for one organization.
  It must match the account types of the registration.

Common mistakes:

- \`AADSTS7000215\`: you entered the ID of the secret instead of its value, or the secret has expired. Note its expiration date.
- \`AADSTS50011\`: the redirect URI is registered for the platform *Single-page application*. It must be *Web*.`,

  'github-universal': `Create an OAuth app in the [developer settings of GitHub](https://github.com/settings/developers), or in those of an organization.

1. Choose *OAuth Apps*, *New OAuth app*. A GitHub App also works if it has the account permission *Email addresses: read-only*,
   but an OAuth app is simpler.
2. Enter the name that users will see, and the address of your product as the *Homepage URL*.
3. Enter this *Authorization callback URL*: \`{{callbackUrl}}\`
4. Leave *Enable Device Flow* off, register the app and choose *Generate a new client secret*.

The fields:

- **Client ID** (\`clientId\`): on the page of the app.
- **Client secret** (\`clientSecret\`): 40 characters, shown only once.

Common mistakes:

- *The redirect_uri is not associated with this application*: the host or path differs from the callback URL at GitHub.
  An OAuth app has one callback URL, so use a separate app for each host.`,

  'facebook-universal': `Create an app at [Meta for Developers](https://developers.facebook.com/apps/).

1. Choose the use case *Authenticate and request data from users with Facebook Login*.
2. In the settings of *Facebook Login*, enter under *Valid OAuth Redirect URIs*: \`{{callbackUrl}}\`
3. Keep *Client OAuth login*, *Web OAuth login* and *Enforce HTTPS* on.
4. Add the permission \`email\` in addition to \`public_profile\`.
5. Enter the privacy policy, the address for data deletion and the category, and switch the app to **Live**.

The fields:

- **Client ID** (\`clientId\`): the *App ID* under *App settings*, *Basic*.
- **Client secret** (\`clientSecret\`): the *App secret* on the same page.

Common mistakes:

- *URL blocked*: the redirect URI is missing under *Valid OAuth Redirect URIs*.
- Only you can sign in: the app is still in development mode.
- You get no address: the permission \`email\` is not granted, or the account has only a phone number.`,

  'x-universal': `Create an app in the [developer console of X](https://console.x.com/).

1. Create a project with an app and open *User authentication settings*.
2. Choose the app permissions **Read** and the type **Web App**, a confidential client.
3. Enter this *Callback URI*: \`{{callbackUrl}}\`
4. Save, and copy the OAuth 2.0 client ID and secret. The secret is shown only once.

The fields:

- **Client ID** (\`clientId\`): the ID for *OAuth 2.0*.
- **Client secret** (\`clientSecret\`): the secret for *OAuth 2.0*.

Common mistakes:

- \`unauthorized_client\`: you entered the API key and its secret, which are for OAuth 1.0a.
- X provides no address. If users sign up with an email address, they are asked for one afterwards.
- The plan of the app limits how many profiles can be read in a month.`,

  'linkedin-universal': `Create an app at [LinkedIn Developers](https://www.linkedin.com/developers/apps).

1. An app belongs to a LinkedIn company page, and an administrator of the page must verify it.
2. Under *Products*, request **Sign In with LinkedIn using OpenID Connect**.
3. Under *Auth*, add this authorized redirect URL: \`{{callbackUrl}}\`
4. Copy the credentials at the top of the same page.

The fields:

- **Client ID** (\`clientId\`): under *Application credentials*.
- **Client secret** (\`clientSecret\`): the *Primary client secret* on the same page.

Common mistakes:

- \`unauthorized_scope_error\`: the product is missing, or only the older *Sign In with LinkedIn* is enabled.
- \`redirect_uri\` does not match: the address is compared as a whole, without parameters.`,

  'discord-universal': `Create an application in the [Discord Developer Portal](https://discord.com/developers/applications).

1. Choose *New Application* and enter the name that users will see.
2. Under *OAuth2*, add under *Redirects*: \`{{callbackUrl}}\`
3. Choose *Reset Secret* on the same page and copy the secret, which is shown only once.
4. You need neither a bot nor further scopes: \`identify\` and \`email\` are requested automatically.

The fields:

- **Client ID** (\`clientId\`): the *Client ID* under *OAuth2*, a long number.
- **Client secret** (\`clientSecret\`): on the same page; not the token of a bot or the public key.

Common mistakes:

- *Invalid OAuth2 redirect_uri*: the changes on the page were not saved, or the address differs.
- You get no address if the user has not confirmed it at Discord.`,
} satisfies Partial<Record<SocialFactoryId, string>>
