/** Settings of a tenant beside the sign-in experience (spec/experience#tenant-settings). */

import { type AccountFields, EDITABLE } from '../account/account-fields.ts'
import type { CustomField } from '../account/custom-fields.ts'
import type { ClientRegistration } from '../applications/client-registration.ts'
import type { UnregisteredClients } from '../applications/unregistered-clients.ts'
import type { PasskeySettings } from '../passkeys/passkeys.ts'
import { forEachLimit, type Limits, RATE_LIMITS } from '../rate-limits.ts'
import { DEFAULT_REMEMBER_DAYS } from '../sessions/remember-days.ts'
import { MINUTE_SECONDS } from '../time.ts'

/** With `hidden`, no answer reveals whether an account exists before its address is proved (spec/accounts#hidden-existence). */
export const accountExistences = ['friendly', 'hidden'] as const
export type AccountExistence = (typeof accountExistences)[number]

/** Where uploads are stored (spec/connectors#uploads). Addresses are those of folders, without a trailing slash. */
export type StorageProvider =
  | { provider: 'AzureStorage'; connectionString: string; container: string; publicUrl?: string | undefined }
  | {
      provider: 'S3Storage'
      endpoint: string
      bucket: string
      accessKeyId: string
      accessSecretKey: string
      /** Needed where it does not follow from the endpoint. */
      region?: string | undefined
      publicUrl?: string | undefined
    }
  /** The bucket bound as `ASSET_BUCKET`; a binding does not know the public address of its bucket. */
  | { provider: 'R2'; publicUrl: string }

export const demoSocialProviders = ['google', 'github', 'discord'] as const

/** A social button for previews, without a connector (spec/experience#demo-social). */
export type DemoSocial = {
  provider: (typeof demoSocialProviders)[number]
  name: string
  logo: string
  logoDark?: string | undefined
  clientId: string
}

/**
 * `Length`: 8 to 128 characters of any kind (NIST SP 800-63B-4 §3.1.1.2). `CharacterClasses`: 8 to 256 of ASCII, of two classes
 * at least.
 */
export const passwordRuleSets = ['Length', 'CharacterClasses'] as const
export type PasswordRules = (typeof passwordRuleSets)[number]

/** What is asked of a new password (spec/accounts#password-policy). */
export type PasswordPolicy = {
  rules: PasswordRules
  /** Whether passwords known from breaches are refused. */
  haveIBeenPwned: boolean
}

/**
 * Of whom a second factor is asked: of nobody, of those who have one, of everybody who has not put it off, of everybody;
 * `adaptive`: of those whose sign-in is unusual (spec/accounts#second-factor-policy).
 */
export const secondFactorPolicies = ['off', 'adaptive', 'optional', 'prompt', 'required'] as const
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number]

/** Of an application or a role; what it asks comes on top of what the tenant asks, so `off` would say nothing. */
export const addedSecondFactorPolicies = ['adaptive', 'optional', 'prompt', 'required'] as const
export type AddedSecondFactorPolicy = (typeof addedSecondFactorPolicies)[number]

/** By which `adaptive` finds a sign-in unusual (spec/accounts#risk-rules). */
export const riskRules = ['newCountry', 'impossibleTravel', 'newBrowserAfterReset'] as const
export type RiskRule = (typeof riskRules)[number]

/** Second factors that a tenant chooses from. Backup codes go with each of them. */
export const secondFactorKinds = ['totp', 'passkey', 'email', 'phone'] as const
export type SecondFactorKind = (typeof secondFactorKinds)[number]

export type SecondFactorSettings = {
  policy: SecondFactorPolicy
  factors: SecondFactorKind[]
  /** For how long a browser may be remembered; 0 offers it to nobody (spec/accounts#remembered-browser). */
  rememberDays: number
  /** How often an account may put off what `prompt` asks for (spec/accounts#put-off). */
  putOffs: number
}

export const MAX_DEFERRALS = 20
export const MAX_GRACE_DAYS = 90
export const MAX_REGISTERED_CLIENTS = 10_000
export const MAX_UNUSED_DAYS = 365

export type AccountCentreSettings = {
  enabled: boolean
  /** What users see and change there and through `/api/me` (spec/account-centre#fields). */
  fields: AccountFields
  /** What the tenant asks of its users beside the standard claims (spec/account-centre#custom-fields). */
  customFields: CustomField[]
  /** For how long an account stays that its user wants deleted (spec/accounts#deletion). */
  deletionGraceDays: number
}

export type TenantSettings = {
  passkeys: PasskeySettings
  limits: Limits
  passwordPolicy: PasswordPolicy
  /** Whether users find the pages of their account under `/account` (spec/account-centre). */
  accountCentre: AccountCentreSettings
  secondFactor: SecondFactorSettings
  accountExistence: AccountExistence
  /** The countries (ISO 3166-1 alpha-2) to which text messages are sent; none means all (spec/accounts#sms-countries). */
  smsCountries: string[]
  /** Origins whose preview messages the pages accept, beside their own (spec/experience#preview-messages). */
  previewOrigins: string[]
  /** Where custom CSS and custom content may load pictures from, beside our own origin (spec/pages#csp). */
  imageOrigins: string[]
  /** Whether hooks and uploads may call loopback, link-local and private addresses (spec/connectors#outbound-addresses). */
  allowPrivateTargets: boolean
  /** Whether clients that publish what they are may ask users without being registered (spec/provider#client-documents). */
  unregisteredClients: UnregisteredClients
  /** Whether clients may register themselves (spec/provider#client-registration). */
  clientRegistration: ClientRegistration
  /** Where a request without a session is redirected; null shows our own page (spec/pages#unknown-session). */
  sessionNotFoundRedirectUrl: string | null
  /** Where `/.well-known/change-password` redirects (spec/pages#change-password). */
  changePasswordUrl: string | null
  storageProvider: StorageProvider | null
  demoSocial: DemoSocial[]
}

export const DEFAULT_TENANT_SETTINGS: TenantSettings = {
  limits: {
    ...forEachLimit((name) => {
      const { count, windowSeconds } = RATE_LIMITS[name]
      return { count, windowSeconds }
    }),
    lockSeconds: 10 * MINUTE_SECONDS,
  },
  passwordPolicy: { rules: 'CharacterClasses', haveIBeenPwned: false },
  passkeys: { enabled: false, rpId: null, manageUrl: null, offer: true },
  accountCentre: { enabled: false, fields: EDITABLE, customFields: [], deletionGraceDays: 14 },
  secondFactor: {
    policy: 'off',
    factors: ['totp', 'passkey'],
    rememberDays: DEFAULT_REMEMBER_DAYS,
    putOffs: 3,
  },
  accountExistence: 'friendly',
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
  sessionNotFoundRedirectUrl: null,
  changePasswordUrl: null,
  storageProvider: null,
  demoSocial: [],
}

/** What a new tenant is given. A tenant from before keeps its defaults until its operator changes them. */
export const NEW_TENANT_SETTINGS: Partial<Omit<TenantSettings, 'accountCentre'>> & {
  accountCentre: Pick<AccountCentreSettings, 'enabled'>
} = {
  passwordPolicy: { rules: 'Length', haveIBeenPwned: true },
  accountCentre: { enabled: true },
}
