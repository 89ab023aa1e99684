/** Fictional settings for the OpenAPI examples, and a doctor report. */

import { ALL_EDITABLE } from '../../contract/account/account-fields.ts'
import { mapLimits } from '../../contract/rate-limits.ts'
import { DAY } from '../../contract/time.ts'
import { connectorFactory } from './openapi-example-connectors.ts'
import { createdAt, ids, tenantId } from './openapi-example-facts.ts'

export const experience = {
  tenantId,
  id: 'default',
  color: { primaryColor: '#0a6e5c', isDarkModeEnabled: true, darkPrimaryColor: '#3fbfa5' },
  branding: { name: 'Acme', logoUrl: 'https://files.example.com/logo.svg' },
  layout: { type: 'Split', pictureUrl: 'https://files.example.com/harbour.webp' },
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
  supportContact: 'help@shop.example.com',
  customCss: null,
}
export const invitation = {
  id: ids.invitation,
  kind: 'administrator',
  delivery: 'email',
  state: 'pending',
  email: 'ada@example.com',
  names: { name: 'Ada Example' },
  roleIds: ['support-role'],
  language: 'en',
  invitedBy: { type: 'administrator', id: ids.user },
  createdAt,
  sentAt: createdAt,
  expiresAt: createdAt + 604_800_000,
  acceptedAt: null,
  acceptedBy: null,
  revokedAt: null,
}

export const organizationDomain = {
  domain: 'acme.com',
  record: {
    name: '_vestibule.acme.com',
    type: 'TXT',
    value: 'vestibule-domain=k7Rt2mXq9LwZd5Yb8nCx1VmQ0pLkJ4hG',
  },
  join: 'automatic',
  roleIds: [],
  createdAt,
  verifiedAt: createdAt,
  checkedAt: createdAt,
  missedAt: null,
}
export const organizationInvitation = {
  id: ids.invitation,
  organizationId: ids.organization,
  state: 'pending',
  email: 'ada@example.com',
  roleIds: ['owner'],
  language: 'en',
  invitedBy: { type: 'member', id: ids.user },
  createdAt,
  sentAt: createdAt,
  expiresAt: createdAt + 604_800_000,
  acceptedAt: null,
  acceptedBy: null,
  revokedAt: null,
}

export const registrationToken = {
  id: ids.registrationToken,
  name: 'Agents of Acme',
  usesLeft: 5,
  expiresAt: createdAt + DAY,
  createdAt,
}
const minute = { count: 10, windowSeconds: 60 }
export const settings = {
  limits: { ...mapLimits(() => minute), lockSeconds: 600 },
  passwordPolicy: { rules: 'CharacterClasses', haveIBeenPwned: true },
  accountCentre: {
    enabled: true,
    deletionGraceDays: 14,
    fields: { ...ALL_EDITABLE, username: 'readOnly' },
    customFields: [
      {
        type: 'text',
        key: 'department',
        label: { en: 'Department', de: 'Abteilung' },
        access: 'edit',
        required: true,
        maxLength: 64,
      },
    ],
  },
  passkeys: {
    enabled: true,
    rpId: 'example.com',
    manageUrl: 'https://shop.example.com/account/passkeys',
    offer: true,
  },
  secondFactor: { policy: 'optional', factors: ['totp', 'passkey'], rememberDays: 30, putOffs: 3 },
  accountExistence: 'hidden',
  administratorsNeedSecondFactor: false,
  newSignInNotices: true,
  rememberAccounts: true,
  smsCountries: ['AT', 'CH', 'DE'],
  previewOrigins: [],
  imageOrigins: [],
  allowPrivateTargets: false,
  clientRegistration: {
    enabled: true,
    scopes: ['openid', 'profile'],
    resources: ['https://api.example.com/orders'],
    mostClients: 100,
    unusedDays: 30,
  },
  organizations: { usersMayCreate: true, mostPerUser: 10, accessTokenTtl: 600 },
  unregisteredClients: {
    enabled: true,
    scopes: ['openid', 'profile'],
    resources: ['https://api.example.com'],
  },
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
export const managedByCode = {
  sections: ['connectors', 'applications'],
  fingerprint: '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8',
  appliedAt: createdAt,
}
export const signingKeys = [
  { id: 'b4Hn7tRw2QzXc9VmLp0Ks', algorithm: 'RS256', status: 'announced', signsFrom: createdAt },
  { id: 'e8Jk1uYi5OaSd3FgHj6Kl', algorithm: 'RS256', status: 'signing', signsFrom: 0 },
]
export const report = {
  environment: 'production',
  serverTime: createdAt,
  version: '0.2.0',
  hostsConfigured: 1,
  origins: ['https://id.example.com'],
  consoleOrigin: null,
  logRetentionDays: 90,
  secrets: { ROOT_SECRET_PREVIOUS: false, MANAGEMENT_CLIENT_SECRET: true },
  bindings: { SEND_EMAIL: false, ASSET_BUCKET: true, RATE_LIMITS: true },
  database: {
    kind: 'D1',
    migrations: { expected: ['0000_first.sql'], applied: ['0000_first.sql'] },
    alterationState: { timestamp: createdAt, updatedAt: createdAt },
  },
  applications: { unsealedSecrets: 0, keySets: [{ id: 'b7Tn3sKd9QzXc4VmLp1Wj', problem: null }] },
  interactions: { isWritable: true },
  connectors: [
    {
      id: ids.connector,
      connectorId: connectorFactory.id,
      problem: null,
      lastFailure: {
        error: 'connector.general',
        reason: 'credentials',
        answer: '535 Authentication failed',
        createdAt,
      },
    },
  ],
  uploads: { problem: null },
  clients: { unregistered: 'limited', selfRegistered: 'off' },
  passwords: { rules: 'CharacterClasses', checksBreaches: true },
  passkeys: { relatedLabels: 1 },
  secondFactor: {
    policy: 'optional',
    factors: ['totp', 'passkey'],
    unavailable: [],
    uncoveredAdministratorRoles: [],
    added: ['required'],
    hasBackupCodes: true,
    sendsCodes: true,
    isPlaceKnown: true,
  },
  signIn: { hasWayIn: true, problem: null },
}
export const customPhrases = {
  tenantId,
  id: 'q4Wn8eRt2YuIo6PaSd0Fg',
  languageTag: 'fr-CA',
  translation: { action: { sign_in: 'Se connecter' } },
}
