/** Settings of a tenant beside the sign-in experience (spec/experience#tenant-settings). */
import { forEachLimit, type Limits, RATE_LIMITS } from './rate-limits.ts'

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

export type TenantSettings = {
  limits: Limits
  accountExistence: AccountExistence
  /** The countries (ISO 3166-1 alpha-2) to which text messages are sent; none means all (spec/accounts#sms-countries). */
  smsCountries: string[]
  /** Origins whose preview messages the pages accept, beside their own (spec/experience#preview-messages). */
  previewOrigins: string[]
  /** Where custom CSS and custom content may load pictures from, beside our own origin (spec/pages#csp). */
  imageOrigins: string[]
  /** Whether hooks and uploads may call loopback, link-local and private addresses (spec/connectors#outbound-addresses). */
  allowPrivateTargets: boolean
  /** Where a request without a session is redirected; null shows our own page (spec/pages#unknown-session). */
  sessionNotFoundRedirectUrl: string | null
  /** Where `/.well-known/change-password` redirects (spec/pages#change-password). */
  changePasswordUrl: string | null
  storageProvider: StorageProvider | null
  demoSocial: DemoSocial[]
}

const MINUTE = 60 // seconds

export const DEFAULT_TENANT_SETTINGS: TenantSettings = {
  limits: {
    ...forEachLimit((name) => {
      const { count, windowSeconds } = RATE_LIMITS[name]
      return { count, windowSeconds }
    }),
    lockSeconds: 10 * MINUTE,
  },
  accountExistence: 'friendly',
  smsCountries: [],
  previewOrigins: [],
  imageOrigins: [],
  allowPrivateTargets: false,
  sessionNotFoundRedirectUrl: null,
  changePasswordUrl: null,
  storageProvider: null,
  demoSocial: [],
}
