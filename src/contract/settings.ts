/** What an operator may set beyond the sign-in experience (decision 31). */

/** At most `count` within `windowSeconds` of the first. */
export type Limit = { count: number; windowSeconds: number }

/** Decision 16. */
export type Limits = {
  /** Failed passwords per identifier. */
  passwordTries: Limit
  /** Failed passwords from one network, whatever the identifiers; browsers known to the account are not among them. */
  passwordTriesPerNetwork: Limit
  /** Wrong codes for one address, whichever codes they were. */
  codeTriesPerAddress: Limit
  codeSendsPerAddress: Limit
  /** A network is one IPv4 address or one /64 of IPv6. */
  codeSendsPerNetwork: Limit
  /** Through POST /services/send-email and /services/send-sms. */
  sendsPerApplication: Limit
  /** Reaching a limit bars for at least so long. */
  lockSeconds: number
}

/** With `hidden`, nobody learns who has an account before an address was proved (decision 17). */
export const accountExistences = ['friendly', 'hidden'] as const
export type AccountExistence = (typeof accountExistences)[number]

/** Where uploads go (product 3). Addresses stand for folders: they end before what is added to them. */
export type StorageProvider =
  | { provider: 'AzureStorage'; connectionString: string; container: string; publicUrl?: string | undefined }
  | {
      provider: 'S3Storage'
      endpoint: string
      bucket: string
      accessKeyId: string
      accessSecretKey: string
      /** Where the address does not tell. */
      region?: string | undefined
      publicUrl?: string | undefined
    }
  /** The bucket bound as `ASSET_BUCKET`: a binding does not know where its bucket is public. */
  | { provider: 'R2'; publicUrl: string }

export const demoSocialProviders = ['google', 'github', 'discord'] as const

/** A social button to look at before a connector is installed (product 3). */
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
  /** Whose preview messages the pages listen to, beyond our own origin (decision 34). */
  previewOrigins: string[]
  /** Whether hooks and uploads may be sent to loopback, link-local and private addresses (decision 18). */
  allowPrivateTargets: boolean
  /** For visitors who came with nothing; else our own page says so (contract 4.8). */
  sessionNotFoundRedirectUrl: string | null
  /** Where `/.well-known/change-password` leads (decision 43). */
  changePasswordUrl: string | null
  storageProvider: StorageProvider | null
  demoSocial: DemoSocial[]
}

const MINUTE = 60 // seconds

export const DEFAULT_TENANT_SETTINGS: TenantSettings = {
  // Decision 16.
  limits: {
    passwordTries: { count: 10, windowSeconds: 10 * MINUTE },
    // Ours: an office on a bad day; a list of leaked passwords gets nowhere (decision record 0048).
    passwordTriesPerNetwork: { count: 100, windowSeconds: 60 * MINUTE },
    // NIST SP 800-63B, 5.2.2: at most 100. Of a million codes that is one in ten thousand a day. In six windows, so that who
    // guesses at somebody's address keeps them waiting for hours and not for a day.
    codeTriesPerAddress: { count: 16, windowSeconds: 4 * 60 * MINUTE },
    codeSendsPerAddress: { count: 5, windowSeconds: 10 * MINUTE },
    codeSendsPerNetwork: { count: 20, windowSeconds: 60 * MINUTE },
    // Ours: a shop on a busy day, and not somebody's list of addresses.
    sendsPerApplication: { count: 1000, windowSeconds: 60 * MINUTE },
    lockSeconds: 10 * MINUTE,
  },
  accountExistence: 'friendly',
  previewOrigins: [],
  allowPrivateTargets: false,
  sessionNotFoundRedirectUrl: null,
  changePasswordUrl: null,
  storageProvider: null,
  demoSocial: [],
}
