/** Settings of a tenant beside the sign-in experience (spec/experience#tenant-settings). */

/** At most `count` within `windowSeconds` of the first. */
export type Limit = { count: number; windowSeconds: number }

/** spec/accounts#rate-limits, ADR-0048. */
export type Limits = {
  /** Failed passwords per identifier. */
  passwordTries: Limit
  /** Failed passwords from one network for all identifiers together; trusted browsers of an account do not count. */
  passwordTriesPerNetwork: Limit
  /** Wrong codes for one address, over all codes. */
  codeTriesPerAddress: Limit
  codeSendsPerAddress: Limit
  /** A network is one IPv4 address or one /64 of IPv6. */
  codeSendsPerNetwork: Limit
  /** Through POST /services/send-email and /services/send-sms. */
  sendsPerApplication: Limit
  /** A reached limit refuses for at least this long. */
  lockSeconds: number
}

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
  // spec/limits#rate-limits
  limits: {
    passwordTries: { count: 10, windowSeconds: 10 * MINUTE },
    // Enough for an office that shares an address, too few to try a list of leaked passwords (ADR-0048).
    passwordTriesPerNetwork: { count: 100, windowSeconds: 60 * MINUTE },
    // NIST SP 800-63B-4 §3.2.2 allows at most 100: here, six windows of 16 a day. Short windows, because an attacker who
    // uses them up locks the owner of the address out until the window ends.
    codeTriesPerAddress: { count: 16, windowSeconds: 4 * 60 * MINUTE },
    codeSendsPerAddress: { count: 5, windowSeconds: 10 * MINUTE },
    codeSendsPerNetwork: { count: 20, windowSeconds: 60 * MINUTE },
    // Enough for the codes of a busy shop, too few to send mail to a list of addresses.
    sendsPerApplication: { count: 1000, windowSeconds: 60 * MINUTE },
    lockSeconds: 10 * MINUTE,
  },
  accountExistence: 'friendly',
  previewOrigins: [],
  imageOrigins: [],
  allowPrivateTargets: false,
  sessionNotFoundRedirectUrl: null,
  changePasswordUrl: null,
  storageProvider: null,
  demoSocial: [],
}
