import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'

/**
 * The setup guides for regional and generic social providers (spec/connectors#guides). `{{callbackUrl}}` is a
 * placeholder for the connector's callback URL.
 */
export const regionalGuides = {
  'kakao-universal': `Create an application at [Kakao Developers](https://developers.kakao.com/console/app).

1. Under *Kakao Login*, turn the login on and add this redirect URI: \`{{callbackUrl}}\`
2. Under *Consent items*, choose the nickname, the profile image and, if you need it, the Kakao Account address. The address
   requires a verified business application.
3. Under *Security* (client secret), generate a secret and turn it on.

The fields:

- **Client ID** (\`clientId\`): the *REST API key*.
- **Client secret** (\`clientSecret\`): the secret of step 3.

Common mistakes:

- \`KOE006\`: the redirect URI is not registered. \`KOE010\`: the client secret is wrong or not turned on.
- The native app key, the JavaScript key and the admin key do not work here.`,

  'naver-universal': `Register an application at [NAVER Developers](https://developers.naver.com/apps/).

1. Choose *Application registration* and the API **Naver Login**.
2. Choose what your product needs from the profile: nickname, profile image, email address.
3. Add the environment **PC web** with the address of your product and this callback URL: \`{{callbackUrl}}\`
4. While the application is in development, add the accounts that test it. Then request the review.

The fields:

- **Client ID** (\`clientId\`): on the overview of the application.
- **Client secret** (\`clientSecret\`): on the same page; choose *show*.

Common mistakes:

- Only registered accounts can sign in: the review is not finished.
- You get an address only if it is a required item or the user agrees to share it.`,

  'feishu-web': `Create a custom app in the [Feishu Open Platform](https://open.feishu.cn/app).

1. Choose *Create custom app*. Members of your organization can sign in with it.
2. Under *Security settings*, add this redirect URL: \`{{callbackUrl}}\`
3. Under *Permissions*, add the user's email address and mobile number if you need them.
4. Create a version and have it released by an administrator of the organization.

The fields:

- **App ID** (\`appId\`): under *Credentials and basic info*. It begins with \`cli_\`.
- **App secret** (\`appSecret\`): on the same page.

Common mistakes:

- Error 20029: the redirect URL is not registered or differs.
- A permission has no effect until the next version is released.
- An app of Lark, the international edition, needs different endpoints: enter them in the optional fields.`,

  'wechat-web': `Register a website application at the [WeChat Open Platform](https://open.weixin.qq.com/). Users sign in by scanning a code with their phone.

1. The platform account needs a verified company (developer qualification, with a yearly fee).
2. Create a **website application** and wait for its review.
3. WeChat checks only the host of the callback. As the authorization callback domain, enter the host of
   \`{{callbackUrl}}\`, without \`https://\` and without a path.
4. Copy the AppID and generate the AppSecret. It is shown only once.

The fields:

- **App ID** (\`appId\`): it begins with \`wx\`.
- **App secret** (\`appSecret\`): 32 characters.

Common mistakes:

- *redirect_uri parameter error*: the domain is wrong, or was entered with a scheme or path.
- The AppID of an official account or a mini program does not work here.
- WeChat provides neither an email address nor a phone number.`,

  'alipay-web': `Create a web application at the [Alipay Open Platform](https://open.alipay.com/develop/manage).

1. Create a *web & mobile application* and add the capability of obtaining member information.
2. Under the development settings, create a key pair with Alipay's key tool and upload the **public** key of the
   application (RSA2). Keep the private key.
3. Enter this authorization callback address: \`{{callbackUrl}}\`
4. Submit the application. It works once it has been reviewed.

The fields:

- **App ID** (\`appId\`): 16 digits, at the top of the application.
- **Private key** (\`privateKey\`): the key of the application, as PEM or as the Base64 text that the tool writes.
- **Signature** (\`signType\`): \`RSA2\`, unless the uploaded key is for \`RSA\`.
- **Charset** (\`charset\`): \`utf8\`.

Common mistakes:

- *invalid-signature*: the private key does not match the uploaded public key, or you entered Alipay's own public key.
- *insufficient-isv-permissions*: the capability is missing or still under review.
- Alipay provides neither an email address nor a phone number.`,

  oidc: `Works with any provider that supports [OpenID Connect](https://openid.net/developers/how-connect-works/): another tenant, Okta, Auth0, Keycloak, GitLab, or your own.

1. At the provider, register a client of type *web application* with the authorization code flow.
2. Enter this redirect URI (or *callback URL*): \`{{callbackUrl}}\`
3. Find the issuer. Its metadata is at the issuer followed by \`/.well-known/openid-configuration\`, where \`issuer\` must
   be exactly what you enter here.

The fields:

- **Issuer** (\`issuer\`): the address at which endpoints and keys are discovered. Without it, enter both endpoints and
  \`idTokenVerificationConfig\`.
- **Client ID** (\`clientId\`) and **Client secret** (\`clientSecret\`): those of the client of step 1.
- **Client authentication** (\`tokenEndpointAuthMethod\`): as registered for the client; the default is \`client_secret_post\`.
- **Scope**: the default is \`openid profile email\`.

The connector also needs a name for its button and a target (\`metadata.target\`), under which identities are stored. The
target cannot be changed later. A logo is optional.

Common mistakes:

- The metadata belongs to another issuer: you left out the path of the issuer, as in \`https://id.example.com/realms/main\`.
- \`invalid_client\`: the provider expects \`client_secret_basic\`.
- You get no address: neither the ID token nor userinfo contains \`email\` together with \`email_verified\`. Signed
  userinfo is not read: register the client without \`userinfo_signed_response_alg\`.`,

  oauth2: `Works with a provider that supports [OAuth 2.0](https://datatracker.ietf.org/doc/html/rfc6749) and has an endpoint for the profile. If the provider supports OpenID Connect, use the connector for OpenID Connect instead.

1. At the provider, register a confidential client with the authorization code flow.
2. Enter this redirect URI (or *callback URL*): \`{{callbackUrl}}\`
3. In the provider's documentation, read what the token endpoint and the profile endpoint return.

The fields:

- **Authorization endpoint** (\`authorizationEndpoint\`): the address to which the browser goes.
- **Token endpoint** (\`tokenEndpoint\`) and **User info endpoint** (\`userInfoEndpoint\`): the addresses that this server calls.
- **Client ID** (\`clientId\`) and **Client secret** (\`clientSecret\`): those of the client of step 1.
- **Scope**: the scopes that the profile requires, separated by spaces.
- **Format of the token response** (\`tokenEndpointResponseType\`): \`json\` at nearly every provider today.
- **Profile map** (\`profileMap\`): where to find the values, for example \`{"id": "user.id", "name": "user.login"}\`. An
  address counts only if it is listed here: list it only if the provider confirms addresses. A phone number must begin with
  \`+\` and the country code.

The connector also needs a name for its button and a target (\`metadata.target\`), under which identities are stored. The
target cannot be changed later. A logo is optional.

Common mistakes:

- *invalid_response*: the token endpoint returns JSON, but the field is set to \`query-string\`.
- Everyone becomes the same user: \`id\` in the profile map points to a value that is not the account's id.`,
} satisfies Partial<Record<SocialFactoryId, string>>
