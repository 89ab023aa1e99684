/** Invented entities for the examples of the OpenAPI document. One tenant, one web shop, two users. */
import { forEachLimit } from '../contract/rate-limits.ts'

export const tenantId = 'default'
export const createdAt = 1_790_000_000_000

/** By collection; they are also the examples of path parameters. */
export const ids = {
  application: 'x8Qm0uV4bYk2LrTz7cNaP',
  connector: 'p3wD9sGh5jKf',
  delivery: 'msg_2hTb7kQxV9mYwL4n',
  hook: 'r9Ty4uIo1PaSd7FgHj2Kl',
  log: 'n6Vb2cXz8LkJ4hGf0DsAq',
  resource: 'w2Er6tYu0IoPa4SdFg8Hj',
  role: 'd5Yb8nCx1VmQ0pLkJ4hGf',
  scope: 'p3Wd9sGh5jKfM1xCvB6nQ',
  session: 'u1Ij7mZk5RtX3vBn9QwEe',
  trustedBrowser: 'b4Nq8sLw1XcZ6vRt0YpKe',
  user: 'k7Rt2mXq9LwZ',
}

export const email = 'ann@example.com'
export const verificationCode = '123456'
export const password = 'correct-horse-7'
export const newPassword = 'battery-staple-8'

export const applicationCreation = {
  name: 'Web shop',
  type: 'SPA',
  oidcClientMetadata: {
    redirectUris: ['https://shop.example.com/callback'],
    postLogoutRedirectUris: ['https://shop.example.com/'],
  },
}
export const application = {
  tenantId,
  id: ids.application,
  secret: 's6Fd3gHj8kLzXcVbN1mQw',
  description: null,
  ...applicationCreation,
  customClientMetadata: {},
  createdAt,
}

const termsAgreement = {
  agreedAt: createdAt,
  policy: 'ManualRegistrationOnly',
  termsOfUseUrl: 'https://shop.example.com/terms',
  privacyPolicyUrl: null,
}

export const user = {
  id: ids.user,
  username: 'ann',
  primaryEmail: email,
  primaryPhone: null,
  name: 'Ann Example',
  avatar: null,
  customData: { customerNumber: 4711 },
  identities: {
    google: { userId: '110248495921238986420', details: { id: '110248495921238986420', email } },
  },
  lastSignInAt: createdAt,
  createdAt,
  applicationId: ids.application,
  emailVerified: true,
  phoneVerified: false,
  termsAgreement,
  isSuspended: false,
}
export const profile = {
  id: ids.user,
  username: 'ann',
  name: 'Ann Example',
  avatar: null,
  primaryEmail: email,
  emailVerified: true,
  hasPassword: true,
  createdAt,
  lastSignInAt: createdAt,
  termsAgreement,
}
export const session = {
  id: ids.session,
  signedInAt: createdAt,
  expiresAt: createdAt + 1_209_600_000,
  applications: [{ id: ids.application, name: 'Web shop' }],
}

export const consent = {
  application: { id: ids.application, name: 'Web shop' },
  scopes: ['openid', 'profile'],
  resources: [{ indicator: 'https://api.example.com/orders', name: 'Orders', scopes: ['read:orders'] }],
  grantedAt: createdAt,
  lastUsedAt: createdAt + 3_600_000,
}

export const role = { tenantId, id: ids.role, name: 'Clerk', description: 'Handles orders' }
export const resource = {
  tenantId,
  id: ids.resource,
  name: 'Orders',
  indicator: 'https://api.example.com/orders',
  accessTokenTtl: 3600,
}
export const scope = {
  tenantId,
  id: ids.scope,
  resourceId: ids.resource,
  name: 'read:orders',
  description: 'See orders',
  createdAt,
}

export const hook = {
  tenantId,
  id: ids.hook,
  event: 'PostRegister',
  config: { url: 'https://shop.example.com/hooks', retries: 3 },
  createdAt,
}
export const hookWithSecret = {
  ...hook,
  secret: 'whsec_bm90IGEgc2VjcmV0LCBidXQgbG9va3MgbGlrZSBvbmU=',
}
export const delivery = {
  id: ids.delivery,
  event: 'PostRegister',
  status: 'failed',
  attempts: 12,
  payload: { hookId: ids.hook, event: 'PostRegister', userId: ids.user },
  createdAt,
}

export const smtp = {
  host: 'smtp.example.com',
  port: 587,
  auth: { type: 'login', user: 'mailer', pass: 'the password of the mailer' },
  fromEmail: 'Example <no-reply@example.com>',
}
export const factory = {
  type: 'Social',
  id: 'github-universal',
  target: 'github',
  platform: 'Universal',
  name: { en: 'GitHub' },
  logo: '/connectors/github.svg',
  logoDark: '/connectors/github-dark.svg',
  description: { en: 'Sign in with a GitHub account' },
  readme: '',
  formItems: [
    { key: 'clientId', label: 'Client ID', type: 'Text', required: true },
    { key: 'clientSecret', label: 'Client secret', type: 'Text', required: true, isSecret: true },
  ],
  isDemo: false,
}
export const connector = {
  ...factory,
  id: ids.connector,
  tenantId,
  connectorId: factory.id,
  syncProfile: false,
  metadata: {},
  config: { clientId: 'Iv1.8a61f9b3a7aba766', clientSecret: '********' },
  createdAt,
}

export const experience = {
  tenantId,
  id: 'default',
  color: { primaryColor: '#0a6e5c', isDarkModeEnabled: true, darkPrimaryColor: '#3fbfa5' },
  branding: { name: 'Acme', logoUrl: 'https://files.example.com/logo.svg' },
  languageInfo: { autoDetect: true, fallbackLanguage: 'en' },
  signIn: {
    methods: [{ identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: true }],
  },
  signUp: { identifiers: ['email'], password: true, verify: true },
  socialSignInConnectorTargets: ['github'],
  signInMode: 'SignInAndRegister',
  customContent: {},
  termsOfUseUrl: 'https://shop.example.com/terms',
  agreeToTermsPolicy: 'ManualRegistrationOnly',
  privacyPolicyUrl: null,
  customCss: null,
}
const minute = { count: 10, windowSeconds: 60 }
export const settings = {
  limits: { ...forEachLimit(() => minute), lockSeconds: 600 },
  accountExistence: 'hidden',
  smsCountries: ['AT', 'CH', 'DE'],
  previewOrigins: [],
  imageOrigins: [],
  allowPrivateTargets: false,
  demoSocial: [],
  sessionNotFoundRedirectUrl: null,
  changePasswordUrl: 'https://shop.example.com/account/password',
  storageProvider: {
    provider: 'S3Storage',
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    bucket: 'example-files',
    accessKeyId: 'AKIDEXAMPLE',
  },
}
export const checklist = {
  livePreviewChecked: true,
  applicationCreated: true,
  signInExperienceCustomized: false,
  passwordlessConfigured: false,
  communityChecked: false,
  furtherReadingsChecked: false,
  roleCreated: false,
  m2mApplicationCreated: false,
}
export const signingKeys = [
  { id: 'b4Hn7tRw2QzXc9VmLp0Ks', algorithm: 'RS256', status: 'announced', signsFrom: createdAt },
  { id: 'e8Jk1uYi5OaSd3FgHj6Kl', algorithm: 'RS256', status: 'signing', signsFrom: 0 },
]
export const report = {
  environment: 'production',
  serverTime: createdAt,
  hostsConfigured: 1,
  logRetentionDays: 90,
  secrets: { ROOT_SECRET_PREVIOUS: false, MANAGEMENT_CLIENT_SECRET: true },
  bindings: { SEND_EMAIL: false, ASSET_BUCKET: true, RATE_LIMITS: true },
  database: { kind: 'D1', migrations: { expected: ['0000_first.sql'], applied: ['0000_first.sql'] } },
  applications: { unsealedSecrets: 0 },
  interactions: { isWritable: true },
  connectors: [{ id: ids.connector, connectorId: factory.id, problem: null }],
  uploads: { problem: null },
  signIn: { hasWayIn: true, problem: null },
}
export const customPhrases = {
  tenantId,
  id: 'q4Wn8eRt2YuIo6PaSd0Fg',
  languageTag: 'fr-CA',
  translation: { action: { sign_in: 'Se connecter' } },
}
export const failedRequests = {
  hour: 1_764_500_400_000,
  applicationId: ids.application,
  endpoint: 'token',
  error: 'invalid_grant',
  count: 17,
}
export const log = {
  tenantId,
  id: ids.log,
  key: 'Management.User.Update',
  payload: {
    key: 'Management.User.Update',
    result: 'Success',
    userId: ids.user,
    actor: { type: 'app', id: ids.application },
    changed: ['name'],
    ip: '203.0.113.7',
  },
  createdAt,
}
