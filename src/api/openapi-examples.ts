/**
 * One body for every call that takes one, and answers where a reader wants to see one, for the document at
 * /api/openapi.json. A test holds each of them against its declaration.
 */

const application = {
  name: 'Web shop',
  type: 'SPA',
  oidcClientMetadata: {
    redirectUris: ['https://shop.example.com/callback'],
    postLogoutRedirectUris: ['https://shop.example.com/'],
  },
}
const smtp = {
  host: 'smtp.example.com',
  port: 587,
  auth: { type: 'login', user: 'mailer', pass: 'the password of the mailer' },
  fromEmail: 'Example <no-reply@example.com>',
}
const email = 'ann@example.com'
const verificationCode = '123456'
const password = 'correct-horse-7'
const message = { data: { to: email, type: 'Generic', payload: { code: verificationCode } } }

export const bodyExamples: Record<string, unknown> = {
  'PUT /interaction': { event: 'SignIn', identifier: { username: 'ann', password } },
  'PUT /interaction/event': { event: 'Register' },
  'PUT /interaction/step': { identifier: { type: 'email', value: email } },
  'PATCH /interaction/identifiers': { email, verificationCode },
  'PUT /interaction/profile': { username: 'ann', password },
  'PATCH /interaction/profile': { password },
  'POST /interaction/verification/social-authorization-uri': {
    connectorId: 'google',
    state: 'the-id-of-the-interaction.Zm9vYmFyYmF6cXV4',
    redirectUri: 'https://id.example.com/callback/google',
  },
  'POST /interaction/verification/verification-code': { email },

  'PATCH /me': { name: 'Ann Example', avatar: 'https://files.example.com/ann.png' },
  'PATCH /me/custom-data': { customData: { theme: 'dark' } },
  'POST /me/password/verify': { password },
  'POST /me/password': { password: 'battery-staple-8' },
  'PUT /me/password': { password: 'battery-staple-8' },
  'POST /me/verification-codes': { email },
  'POST /me/verification-codes/verify': { email, verificationCode },

  'POST /applications': application,
  'PATCH /applications/{id}': { customClientMetadata: { refreshTokenTtl: 1_209_600 }, isAdmin: false },
  'PATCH /configs/admin-console': { applicationCreated: true },
  'PATCH /configs/settings': {
    accountExistence: 'hidden',
    storageProvider: {
      provider: 'S3Storage',
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      bucket: 'example-files',
      accessKeyId: 'AKIDEXAMPLE',
      accessSecretKey: 'the secret of that key',
    },
  },
  'POST /configs/signing-keys/rotate': { immediately: false },
  'POST /connectors': { connectorId: 'simple-mail-transfer-protocol', config: smtp },
  'PATCH /connectors/{id}': { config: { ...smtp, port: 465, secure: true } },
  'POST /connectors/{factoryId}/test': { email, config: smtp },
  'PUT /custom-phrases/{tag}': { action: { sign_in: 'Come in' } },
  'POST /hooks': {
    event: 'PostRegister',
    config: { url: 'https://shop.example.com/hooks', headers: { 'x-key': 'told to nobody' }, retries: 3 },
  },
  'PATCH /hooks/{id}': { config: { retries: 0 } },
  'POST /resources': { name: 'Orders', indicator: 'https://api.example.com/orders', accessTokenTtl: 3600 },
  'PATCH /resources/{id}': { accessTokenTtl: 600 },
  'POST /resources/{id}/scopes': { name: 'read:orders', description: 'See orders' },
  'PATCH /resources/{id}/scopes/{scopeId}': { name: 'read:orders', description: 'See all orders' },
  'POST /roles': { name: 'Clerk', description: 'Handles orders', scopeIds: [] },
  'PATCH /roles/{id}': { description: 'Handles orders and returns' },
  'POST /roles/{id}/applications': { applicationIds: ['x8Qm0uV4bYk2LrTz7cNaP'] },
  'POST /roles/{id}/scopes': { scopeIds: ['p3Wd9sGh5jKfM1xCvB6nQ'] },
  'POST /roles/{id}/users': { userIds: ['k7Rt2mXq9LwZ'] },
  'POST /services/send-email': message,
  'POST /services/send-sms': { data: { ...message.data, to: '4915112345678' } },
  'PATCH /sign-in-exp': {
    color: { primaryColor: '#0a6e5c', isDarkModeEnabled: true, darkPrimaryColor: '#3fbfa5' },
    languageInfo: { autoDetect: true, fallbackLanguage: 'en' },
  },
  'POST /tenants': { id: 'acme' },
  'POST /users': { username: 'ann', primaryEmail: email, password },
  'PATCH /users/{id}': { name: 'Ann Example', primaryPhone: null },
  'PATCH /users/{id}/custom-data': { customData: { customerNumber: 4711 } },
  'PATCH /users/{id}/is-suspended': { isSuspended: true },
  'PATCH /users/{id}/password': { password: 'battery-staple-8' },
  'POST /users/import': {
    users: [
      { id: 'old4711', username: 'ann', primaryEmail: email, roleNames: ['Clerk'] },
      { username: 'ben', passwordDigest: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy' },
    ],
  },
  'POST /users/{id}/roles': { roleIds: ['d5Yb8nCx1VmQ0pLkJ4hGf'] },
  'PUT /users/{id}/roles': { roleIds: [] },
  'POST /verification-codes': { email },
  'POST /verification-codes/verify': { email, verificationCode },
}

const tenantId = 'default'
const createdAt = 1_790_000_000_000

/** Of 200. */
export const answerExamples: Record<string, unknown> = {
  'POST /interaction/submit': { redirectTo: 'https://id.example.com/oidc/auth/h2Lx7Zq9' },
  'POST /applications': {
    tenantId,
    id: 'x8Qm0uV4bYk2LrTz7cNaP',
    secret: 's6Fd3gHj8kLzXcVbN1mQw',
    description: null,
    ...application,
    customClientMetadata: {},
    createdAt,
  },
  'POST /configs/signing-keys/rotate': [
    { id: 'b4Hn7tRw2QzXc9VmLp0Ks', algorithm: 'RS256', status: 'announced', signsFrom: createdAt },
    { id: 'e8Jk1uYi5OaSd3FgHj6Kl', algorithm: 'RS256', status: 'signing', signsFrom: 0 },
  ],
  'POST /hooks': {
    tenantId,
    id: 'r9Ty4uIo1PaSd7FgHj2Kl',
    event: 'PostRegister',
    config: { url: 'https://shop.example.com/hooks', retries: 3 },
    createdAt,
    secret: 'whsec_bm90IGEgc2VjcmV0LCBidXQgbG9va3MgbGlrZSBvbmU=',
  },
  'POST /resources': {
    tenantId,
    id: 'w2Er6tYu0IoPa4SdFg8Hj',
    name: 'Orders',
    indicator: 'https://api.example.com/orders',
    accessTokenTtl: 3600,
    scopes: [],
  },
  'POST /roles': { tenantId, id: 'd5Yb8nCx1VmQ0pLkJ4hGf', name: 'Clerk', description: 'Handles orders' },
  'POST /user-assets': {
    url: 'https://files.example.com/default/k7Rt2mXq9LwZ/2026/11/21/Q8wE2rT5/logo.png',
  },
  'GET /users/{id}': {
    id: 'k7Rt2mXq9LwZ',
    username: 'ann',
    primaryEmail: email,
    primaryPhone: null,
    name: 'Ann Example',
    avatar: null,
    customData: { customerNumber: 4711 },
    identities: {},
    lastSignInAt: createdAt,
    createdAt,
    applicationId: 'x8Qm0uV4bYk2LrTz7cNaP',
    isSuspended: false,
  },
  'POST /users/import': {
    results: [
      { index: 0, status: 'created', id: 'old4711' },
      {
        index: 1,
        status: 'rejected',
        error: { code: 'user.username_already_in_use', message: 'This username is already in use.' },
      },
    ],
  },
}
