import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'

/** How to set up each provider (spec/connectors#guides). `{{callbackUrl}}` stands for the connector's callback address. */
export const worldwideGuides = {
  'google-universal': `Make an OAuth client in the [Google Cloud console](https://console.cloud.google.com/apis/credentials).

1. Choose a project, or create one.
2. Under *Google Auth Platform*, describe your application: its name, a support address, audience **External** unless
   only people of your own organisation sign in.
3. Under *Data access*, the scopes \`openid\`, \`email\` and \`profile\` are enough. They need no review by Google.
4. Under *Clients*, create a client of the type **Web application**.
5. Enter this address under *Authorized redirect URIs*: \`{{callbackUrl}}\`
6. Copy what Google shows. The secret is shown in full only now.

The fields:

- **Client ID** (\`clientId\`): ends with \`.apps.googleusercontent.com\`.
- **Client secret** (\`clientSecret\`): begins with \`GOCSPX-\`.

Common mistakes:

- \`redirect_uri_mismatch\`: the address at Google differs, often in \`http\` for \`https\` or a slash at the end. A change
  can take some minutes.
- Only test users can sign in: the application is still in the status *Testing*; publish it.`,

  'apple-universal': `Sign in with Apple needs a membership of the [Apple Developer Program](https://developer.apple.com/account/resources/identifiers/list).

1. Under *Identifiers*, create an **App ID** with the capability *Sign in with Apple*, unless your app has one already.
2. Create a **Services ID**. Its identifier is the client ID. Enable *Sign in with Apple* and configure it: the App ID of
   before as primary, your host under *Domains*, and as return URL: \`{{callbackUrl}}\`
3. Under *Keys*, create a key with *Sign in with Apple* for that App ID and download the file. Apple gives it out once.

The fields:

- **Services ID** (\`clientId\`): such as \`com.example.web\`; not the bundle ID of an app.
- **Team ID** (\`teamId\`): ten characters, at the top right of the developer site.
- **Key ID** (\`keyId\`): ten characters, shown with the key and in the name of its file.
- **Private key** (\`privateKey\`): the whole content of the \`.p8\` file, with its first and last line.

Common mistakes:

- \`invalid_client\`: the key belongs to another team, was revoked, or the bundle ID was entered as client ID.
- Apple refuses return URLs with \`http\`, with \`localhost\` and with an IP address.
- Users may hide their address. Mail to such an address arrives only from senders that are registered at Apple.`,

  'microsoft-entra-universal': `Register an application in the [Microsoft Entra admin center](https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade).

1. Choose *New registration*, and under *Supported account types* who may sign in.
2. As redirect URI choose the platform **Web** and enter: \`{{callbackUrl}}\`
3. Under *Certificates & secrets*, create a client secret and copy its **value** at once.
4. Under *Token configuration*, add the optional claims \`email\` and \`xms_edov\` to the ID token: without \`xms_edov\`
   Vestibule cannot tell who owns an address of an organisation, and takes none.

The fields:

- **Client ID** (\`clientId\`): *Application (client) ID* on the overview page.
- **Client secret** (\`clientSecret\`): the value of the secret, not its ID.
- **Tenant** (\`tenantId\`): \`common\`, \`organizations\`, \`consumers\`, or the *Directory (tenant) ID* for one organisation.
  It has to fit the account types of the registration.

Common mistakes:

- \`AADSTS7000215\`: the ID of the secret was entered in place of its value, or the secret has expired. Note its last day.
- \`AADSTS50011\`: the redirect URI is registered for the platform *Single-page application*; it has to be *Web*.`,

  'github-universal': `Create an OAuth app in the [developer settings of GitHub](https://github.com/settings/developers), or in those of an organisation.

1. Choose *OAuth Apps*, *New OAuth app*. A GitHub App works as well, an OAuth app is the simpler one.
2. Enter the name that users shall see, and the address of your product as *Homepage URL*.
3. Enter as *Authorization callback URL*: \`{{callbackUrl}}\`
4. Leave *Enable Device Flow* off, register the app and choose *Generate a new client secret*.

The fields:

- **Client ID** (\`clientId\`): on the page of the app.
- **Client secret** (\`clientSecret\`): 40 characters, shown once.

Common mistakes:

- *The redirect_uri is not associated with this application*: host or path differ from the callback URL at GitHub. An
  OAuth app has one callback URL: use an app for each host.
- Users without an address: GitHub answers only an address that the user has made public.`,

  'facebook-universal': `Create an app at [Meta for Developers](https://developers.facebook.com/apps/).

1. Choose the use case *Authenticate and request data from users with Facebook Login*.
2. In the settings of *Facebook Login*, enter under *Valid OAuth Redirect URIs*: \`{{callbackUrl}}\`
3. Keep *Client OAuth login*, *Web OAuth login* and *Enforce HTTPS* on.
4. Add the permission \`email\` beside \`public_profile\`.
5. Enter privacy policy, address for data deletion and category, and switch the app to **Live**.

The fields:

- **Client ID** (\`clientId\`): *App ID* under *App settings*, *Basic*.
- **Client secret** (\`clientSecret\`): *App secret* on the same page.

Common mistakes:

- *URL blocked*: the redirect URI is missing under *Valid OAuth Redirect URIs*.
- Only you can sign in: the app is still in development mode.
- No address arrives: the permission \`email\` is not granted, or the account has only a phone number.`,

  'x-universal': `Create an app in the [developer console of X](https://console.x.com/).

1. Create a project with an app and open *User authentication settings*.
2. Choose the app permissions **Read** and the type **Web App**, a confidential client.
3. Enter as *Callback URI*: \`{{callbackUrl}}\`
4. Save, and copy the OAuth 2.0 client ID and secret. The secret is shown once.

The fields:

- **Client ID** (\`clientId\`): of *OAuth 2.0*.
- **Client secret** (\`clientSecret\`): of *OAuth 2.0*.

Common mistakes:

- \`unauthorized_client\`: the API key and its secret were entered. Those are for OAuth 1.0a.
- X tells no address. Where users sign up by e-mail, they are asked for one afterwards.
- The plan of the app limits how many profiles can be read in a month.`,

  'linkedin-universal': `Create an app at [LinkedIn Developers](https://www.linkedin.com/developers/apps).

1. An app belongs to a company page of LinkedIn, and an administrator of the page has to verify it.
2. Under *Products*, request **Sign In with LinkedIn using OpenID Connect**.
3. Under *Auth*, add as authorized redirect URL: \`{{callbackUrl}}\`
4. Copy the credentials at the top of the same page.

The fields:

- **Client ID** (\`clientId\`): under *Application credentials*.
- **Client secret** (\`clientSecret\`): *Primary client secret*, on the same page.

Common mistakes:

- \`unauthorized_scope_error\`: the product is missing, or only the older *Sign In with LinkedIn* is there.
- \`redirect_uri\` does not match: the address is compared as a whole, without parameters.`,

  'discord-universal': `Create an application in the [Discord Developer Portal](https://discord.com/developers/applications).

1. Choose *New Application* and give it the name that users shall see.
2. Under *OAuth2*, add under *Redirects*: \`{{callbackUrl}}\`
3. Choose *Reset Secret* on the same page and copy the secret, which is shown once.
4. A bot is not needed, neither are further scopes: \`identify\` and \`email\` are asked for by themselves.

The fields:

- **Client ID** (\`clientId\`): *Client ID* under *OAuth2*, a long number.
- **Client secret** (\`clientSecret\`): of the same page; not the token of a bot, nor the public key.

Common mistakes:

- *Invalid OAuth2 redirect_uri*: the changes of the page were not saved, or the address differs.
- No address arrives where a user has not confirmed it at Discord.`,
} satisfies Partial<Record<SocialFactoryId, string>>
