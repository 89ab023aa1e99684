/** Invented settings of the examples, and the report of the doctor. */
import { forEachLimit } from '../contract/rate-limits.ts'
import { factory } from './openapi-example-connectors.ts'
import { createdAt, ids, tenantId } from './openapi-example-facts.ts'

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
