import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'

/** How to set up each provider (spec/connectors#guides). `{{callbackUrl}}` stands for the connector's callback address. */
export const regionalGuides = {
  'kakao-universal': `Create an application at [Kakao Developers](https://developers.kakao.com/console/app).

1. Under *Kakao Login*, switch the login on and add as redirect URI: \`{{callbackUrl}}\`
2. Under *Consent items*, choose nickname, profile image and, if you need it, the Kakao Account address. The address needs
   a verified business application.
3. Under *Security* (client secret), generate a secret and switch it on.

The fields:

- **Client ID** (\`clientId\`): the *REST API key*.
- **Client secret** (\`clientSecret\`): the code of step 3.

Common mistakes:

- \`KOE006\`: the redirect URI is not registered. \`KOE010\`: the client secret is wrong or not switched on.
- The native app key, the JavaScript key and the admin key are other keys; none of them works here.`,

  'naver-universal': `Register an application at [NAVER Developers](https://developers.naver.com/apps/).

1. Choose *Application registration* and the API **Naver Login**.
2. Choose what your product needs of the profile: nickname, profile image, e-mail address.
3. As environment add **PC web** with the address of your product, and as callback URL: \`{{callbackUrl}}\`
4. While the application is in development, add the accounts that test it; then ask for the review.

The fields:

- **Client ID** (\`clientId\`): on the overview of the application.
- **Client secret** (\`clientSecret\`): on the same page, behind *show*.

Common mistakes:

- Only registered accounts can sign in: the review is not finished.
- An address arrives only if it is a required item, or the user agrees to it.`,

  'feishu-web': `Create a custom app in the [Feishu Open Platform](https://open.feishu.cn/app).

1. Choose *Create custom app*. Members of your organisation can sign in with it.
2. Under *Security settings*, add as redirect URL: \`{{callbackUrl}}\`
3. Under *Permissions*, add the user's e-mail address and mobile number if you need them.
4. Create a version and have it released by an administrator of the organisation.

The fields:

- **App ID** (\`appId\`): under *Credentials and basic info*; begins with \`cli_\`.
- **App secret** (\`appSecret\`): on the same page.

Common mistakes:

- Error 20029: the redirect URL is not registered, or differs.
- A permission has no effect before the next version is released.
- An app of Lark, the international edition, needs other endpoints: enter them in the optional fields.`,

  'wechat-web': `Register a website application at the [WeChat Open Platform](https://open.weixin.qq.com/). People sign in by scanning a code with their phone.

1. The account of the platform needs a verified company (developer qualification, with a yearly fee).
2. Create a **website application** and wait for its review.
3. WeChat checks the host of the callback alone: as authorization callback domain enter the host of
   \`{{callbackUrl}}\`, without \`https://\` and without a path.
4. Copy the AppID, and generate the AppSecret. It is shown once.

The fields:

- **App ID** (\`appId\`): begins with \`wx\`.
- **App secret** (\`appSecret\`): 32 characters.

Common mistakes:

- *redirect_uri parameter error*: the domain was entered with a scheme or a path, or is another one.
- An official account or a mini program has an AppID of its own, which does not work here.
- WeChat tells neither an address nor a phone number.`,

  'alipay-web': `Create a web application at the [Alipay Open Platform](https://open.alipay.com/develop/manage).

1. Create a *web & mobile application* and add the capability of obtaining member information.
2. Under development settings, make a key pair with Alipay's key tool and upload the **public** key of the application
   (RSA2). Keep the private key.
3. As authorization callback address enter: \`{{callbackUrl}}\`
4. Submit the application. It works after its review.

The fields:

- **App ID** (\`appId\`): 16 digits, at the top of the application.
- **Private key** (\`privateKey\`): of the application, as PEM or as the Base64 text that the tool writes.
- **Signature** (\`signType\`): \`RSA2\`, unless the uploaded key is for \`RSA\`.
- **Charset** (\`charset\`): \`utf8\`.

Common mistakes:

- *invalid-signature*: the private key does not belong to the uploaded public key, or Alipay's own public key was entered.
- *insufficient-isv-permissions*: the capability is missing or still under review.
- Alipay tells neither an address nor a phone number.`,

  oidc: `Any provider that follows [OpenID Connect](https://openid.net/developers/how-connect-works/): another tenant, Okta, Auth0, Keycloak, GitLab, or one of your own.

1. Register a client of the type *web application* with the authorization code flow at the provider.
2. Enter there as redirect URI (also *callback URL*): \`{{callbackUrl}}\`
3. Find the issuer. Its metadata are at the issuer followed by \`/.well-known/openid-configuration\`, where \`issuer\` has to
   be exactly what you enter here.

The fields:

- **Issuer** (\`issuer\`): endpoints and keys are found by it. Without it enter both endpoints and
  \`idTokenVerificationConfig\`.
- **Client ID** (\`clientId\`) and **Client secret** (\`clientSecret\`): of the client of step 1.
- **Client authentication** (\`tokenEndpointAuthMethod\`): as the client is registered; \`client_secret_post\` unless set.
- **Scope**: \`openid profile email\` unless set.

The connector also needs a target (\`metadata.target\`), under which identities are kept, a name and a logo. The target cannot
be changed later.

Common mistakes:

- *The metadata are of another issuer*: the path is missing, as in \`https://id.example.com/realms/main\`.
- \`invalid_client\`: the provider expects \`client_secret_basic\`.
- No address arrives: the provider does not say \`email_verified\`.`,

  oauth2: `For a provider that has [OAuth 2.0](https://datatracker.ietf.org/doc/html/rfc6749) and an address that answers the profile, but not OpenID Connect. If it has, use the connector for OpenID Connect.

1. Register a confidential client with the authorization code flow at the provider.
2. Enter there as redirect URI (also *callback URL*): \`{{callbackUrl}}\`
3. Read in the documentation of the provider what the token endpoint and the profile answer.

The fields:

- **Authorization endpoint** (\`authorizationEndpoint\`): where the browser goes.
- **Token endpoint** (\`tokenEndpoint\`) and **User info endpoint** (\`userInfoEndpoint\`): what this server calls.
- **Client ID** (\`clientId\`) and **Client secret** (\`clientSecret\`): of the client of step 1.
- **Scope**: what the profile needs, between spaces.
- **What the token endpoint answers** (\`tokenEndpointResponseType\`): \`json\` at nearly every provider of today.
- **Profile map** (\`profileMap\`): where the values are, e.g. \`{"id": "user.id", "name": "user.login"}\`. An address counts
  only if it is named here: name it only where the provider has confirmed it. A phone number has to begin with \`+\` and the
  country code.

The connector also needs a target (\`metadata.target\`), under which identities are kept, a name and a logo. The target cannot
be changed later.

Common mistakes:

- *invalid_response*: the answer of the token endpoint is JSON and the field says \`query-string\`.
- Everybody is the same user: \`id\` of the profile map leads to a value that is no id of the account.`,
} satisfies Partial<Record<SocialFactoryId, string>>
