/** The settings of a tenant, apart from the sign-in experience (spec/experience#tenant-settings). */

import { type AccountFieldPolicies, ALL_EDITABLE } from '../account/account-fields.ts'
import type { CustomField } from '../account/custom-fields.ts'
import type { ClientRegistration } from '../applications/client-registration.ts'
import type { UnregisteredClients } from '../applications/unregistered-clients.ts'
import { DEFAULT_ORGANIZATION_SETTINGS, type OrganizationSettings } from '../organisations/settings.ts'
import type { PasskeySettings } from '../passkeys/passkeys.ts'
import { type Limits, mapLimits, RATE_LIMITS } from '../rate-limits.ts'
import { DEFAULT_REMEMBER_DAYS } from '../sessions/remember-days.ts'
import { MINUTE_SECONDS } from '../time.ts'

/**
 * With `hidden`, no response reveals whether an account exists until its address has been verified
 * (spec/accounts#hidden-existence).
 */
export const accountExistenceModes = ['friendly', 'hidden'] as const
export type AccountExistence = (typeof accountExistenceModes)[number]

/** The storage provider for uploads (spec/connectors#uploads). URLs are those of folders, without a trailing slash. */
export type StorageProvider =
  | { provider: 'AzureStorage'; connectionString: string; container: string; publicUrl?: string | undefined }
  | {
      provider: 'S3Storage'
      endpoint: string
      bucket: string
      accessKeyId: string
      accessSecretKey: string
      /** The region. Required unless the endpoint determines it. */
      region?: string | undefined
      publicUrl?: string | undefined
    }
  /**
   * The bucket with the binding `ASSET_BUCKET`. A binding does not reveal the bucket's public URL, so the operator has
   * to set the URL.
   */
  | { provider: 'R2'; publicUrl: string }

export const demoSocialProviders = ['google', 'github', 'discord'] as const

/** A social button for demonstrations that works without a connector (spec/experience#demo-social). */
export type DemoSocial = {
  provider: (typeof demoSocialProviders)[number]
  name: string
  logo: string
  logoDark?: string | undefined
  clientId: string
}

/**
 * The sets of password rules. `CharacterClasses` requires 8 to 256 ASCII characters of at least two classes. `Length`
 * allows 8 to 128 characters of any kind (NIST SP 800-63B-4 §3.1.1.2, ADR-0168).
 */
export const passwordRuleSets = ['CharacterClasses', 'Length'] as const
export type PasswordRuleSet = (typeof passwordRuleSets)[number]

/** The rules for a new password (spec/accounts#password-policy). */
export type PasswordPolicy = {
  rules: PasswordRuleSet
  /** If true, passwords that are known from breaches are rejected. */
  haveIBeenPwned: boolean
}

/**
 * The policies that decide who needs a second factor (spec/accounts#second-factor-policy). In this order, they require
 * one from nobody, from users whose sign-in is unusual, from users who have a second factor, from everyone who has not
 * deferred it, and from everyone.
 */
export const secondFactorPolicies = ['off', 'adaptive', 'optional', 'prompt', 'required'] as const
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number]

/**
 * The policies that applications and roles can add to the tenant's policy. `off` is excluded, because adding it would
 * have no effect.
 */
export const addedSecondFactorPolicies = ['adaptive', 'optional', 'prompt', 'required'] as const
export type AddedSecondFactorPolicy = (typeof addedSecondFactorPolicies)[number]

/** The rules by which the policy `adaptive` decides that a sign-in is unusual (spec/accounts#risk-rules). */
export type RiskRule = 'newCountry' | 'impossibleTravel' | 'newBrowserAfterReset'

/** The second factors that a tenant can choose from. Backup codes are available with any of them. */
export const secondFactorKinds = ['totp', 'passkey', 'email', 'phone'] as const
export type SecondFactorKind = (typeof secondFactorKinds)[number]

export type SecondFactorSettings = {
  policy: SecondFactorPolicy
  factors: SecondFactorKind[]
  /**
   * The number of days for which a browser may be remembered. With 0, remembering is not offered
   * (spec/accounts#remembered-browser).
   */
  rememberDays: number
  /**
   * The number of times that an account may defer the second factor under the policy `prompt` (spec/accounts#put-off).
   */
  putOffs: number
}

export const MAX_DEFERRALS = 20
export const MAX_GRACE_DAYS = 90
export const MAX_REGISTERED_CLIENTS = 10_000
export const MAX_OWN_ORGANIZATIONS = 100
export const MAX_UNUSED_DAYS = 365

export type AccountCentreSettings = {
  enabled: boolean
  /**
   * The fields that users can see and change in the account centre and through `/api/me` (spec/account-centre#fields).
   */
  fields: AccountFieldPolicies
  /** The fields that the tenant defines besides the standard claims (spec/account-centre#custom-fields). */
  customFields: CustomField[]
  /**
   * The number of days for which an account is kept after its user has requested its deletion (spec/accounts#deletion).
   */
  deletionGraceDays: number
}

export type TenantSettings = {
  passkeys: PasskeySettings
  limits: Limits
  passwordPolicy: PasswordPolicy
  /** The settings of the account centre under `/account` (spec/account-centre). */
  accountCentre: AccountCentreSettings
  secondFactor: SecondFactorSettings
  /** If true, all administrators need a second factor, whatever their roles (spec/accounts#administrators-policy). */
  administratorsNeedSecondFactor: boolean
  accountExistence: AccountExistence
  /** If true, users are told of a sign-in in a browser that they have not used before (spec/accounts#new-sign-in). */
  newSignInNotices: boolean
  /** If true, browsers remember the accounts that signed in with them (spec/accounts#remembered-account). */
  rememberAccounts: boolean
  /**
   * The countries (ISO 3166-1 alpha-2) to which text messages are sent; empty for all countries
   * (spec/accounts#sms-countries).
   */
  smsCountries: string[]
  /** Origins, besides our own, whose preview messages the pages accept (spec/experience#preview-messages). */
  previewOrigins: string[]
  /** Origins, besides our own, from which custom CSS and custom content may load images (spec/pages#csp). */
  imageOrigins: string[]
  /**
   * If true, hooks and uploads may call loopback, link-local and private network addresses
   * (spec/connectors#outbound-addresses).
   */
  allowPrivateTargets: boolean
  /**
   * The access that unregistered clients with a client document may request from users
   * (spec/provider#client-documents).
   */
  unregisteredClients: UnregisteredClients
  /** The settings that let clients register themselves (spec/provider#client-registration). */
  clientRegistration: ClientRegistration
  /** The settings of organisations (spec/organisations#settings). */
  organizations: OrganizationSettings
  /**
   * The URL to which requests without a session are redirected, or null to show our own page
   * (spec/pages#unknown-session).
   */
  sessionNotFoundRedirectUrl: string | null
  /** The URL to which `/.well-known/change-password` redirects (spec/pages#change-password). */
  changePasswordUrl: string | null
  storageProvider: StorageProvider | null
  demoSocial: DemoSocial[]
}

export const DEFAULT_TENANT_SETTINGS: TenantSettings = {
  limits: {
    ...mapLimits((name) => {
      const { count, windowSeconds } = RATE_LIMITS[name]
      return { count, windowSeconds }
    }),
    lockSeconds: 10 * MINUTE_SECONDS,
  },
  passwordPolicy: { rules: 'CharacterClasses', haveIBeenPwned: false },
  passkeys: { enabled: false, rpId: null, manageUrl: null, offer: true },
  accountCentre: { enabled: false, fields: ALL_EDITABLE, customFields: [], deletionGraceDays: 14 },
  secondFactor: {
    policy: 'off',
    factors: ['totp', 'passkey'],
    rememberDays: DEFAULT_REMEMBER_DAYS,
    putOffs: 3,
  },
  administratorsNeedSecondFactor: false,
  accountExistence: 'friendly',
  newSignInNotices: true,
  rememberAccounts: true,
  smsCountries: [],
  previewOrigins: [],
  imageOrigins: [],
  allowPrivateTargets: false,
  unregisteredClients: {
    enabled: false,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    resources: null,
  },
  clientRegistration: {
    enabled: false,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    resources: null,
    mostClients: 100,
    unusedDays: 30,
  },
  organizations: DEFAULT_ORGANIZATION_SETTINGS,
  sessionNotFoundRedirectUrl: null,
  changePasswordUrl: null,
  storageProvider: null,
  demoSocial: [],
}

/** The settings of a new tenant. Existing tenants keep the defaults until their operator changes them. */
export const NEW_TENANT_SETTINGS: Partial<Omit<TenantSettings, 'accountCentre'>> & {
  accountCentre: Pick<AccountCentreSettings, 'enabled'>
} = {
  passwordPolicy: { rules: 'CharacterClasses', haveIBeenPwned: true },
  accountCentre: { enabled: true },
}
