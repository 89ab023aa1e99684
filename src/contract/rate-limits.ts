/**
 * Every rate limit of the product (spec/limits#rate-limits, ADR-0064). Each row states what is counted, whose counter
 * it increases, the limit within a window, which attempts remain counted, and how trusted browsers are treated. A
 * tenant has a setting of the same name for each limit.
 */

import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from './time.ts'

/** Allows at most `count` attempts within `windowSeconds` of the first attempt. */
export type Limit = { count: number; windowSeconds: number }

/**
 * The subject that a counter belongs to (spec/accounts#counter-subjects). A limit per network has a counter for each
 * level in `NETWORK_LEVELS`; a limit per largest network has only one.
 */
export type CounterSubject =
  | 'account'
  | 'session'
  | 'address'
  | 'address and network'
  | 'network'
  | 'largest network'
  | 'client and network'
  | 'application'
  | 'organization'
  | 'tenant'
  | 'calling code'

type RateLimit = Limit & {
  counts: string
  per: CounterSubject
  /** The prefix of the limit's counter keys. A burst limit is counted under the prefix of its `burstOf`. */
  key: string
  /**
   * The attempts that remain counted. Attempts are counted in advance, and the others are refunded afterwards. A right
   * code is not counted at all, because the statement that counts an attempt also compares the code (ADR-0191).
   */
  stays: 'refused' | 'accepted' | 'all'
  /**
   * The counting of attempts in a browser in which the user has signed in to the account before
   * (spec/accounts#trusted-browser).
   */
  trustedBrowser: 'counted' | 'own counter' | 'exempt'
  /**
   * The longest window that a tenant may set. A longer one would lock the account's owner out for too long. Our choice.
   */
  longestWindowSeconds: number
  /**
   * The longer limit of the same subject. Attempts are counted towards both limits in the row of the longer one
   * (ADR-0191).
   */
  burstOf?: 'passwordTriesInARow' | 'strangerSendsPerAddress'
  /**
   * If true, only consecutive failures count: each failure extends the window, and a success or a password reset
   * clears the count.
   */
  isInARow?: true
}

const refused = { stays: 'refused', longestWindowSeconds: DAY_SECONDS } as const
const all = { stays: 'all', longestWindowSeconds: DAY_SECONDS } as const

export const RATE_LIMITS = {
  passwordTries: {
    counts: 'wrong passwords',
    per: 'account',
    key: 'password',
    count: 10,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'own counter',
    burstOf: 'passwordTriesInARow',
    ...refused,
  },
  // NIST SP 800-63B-4 §3.2.2 allows at most 100 consecutive failed attempts.
  passwordTriesInARow: {
    counts: 'wrong passwords in a row',
    per: 'account',
    key: 'password-in-a-row',
    count: 100,
    windowSeconds: 30 * DAY_SECONDS,
    trustedBrowser: 'exempt',
    stays: 'refused',
    longestWindowSeconds: 400 * DAY_SECONDS,
    isInARow: true,
  },
  // Enough for an office that shares an IP address, but too few to try a list of leaked passwords (ADR-0048).
  passwordTriesPerNetwork: {
    counts: 'wrong passwords, for any accounts',
    per: 'network',
    key: 'password',
    count: 100,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'exempt',
    ...refused,
  },
  // Signatures cannot be guessed. The limit bounds the cost of verifying them.
  passkeyTriesPerNetwork: {
    counts: 'refused passkeys, of any accounts',
    per: 'network',
    key: 'passkey',
    count: 100,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // Counted separately, so that a stolen token cannot lock the owner out of signing in.
  ownPasswordTries: {
    counts: 'wrong current passwords of a signed-in user',
    per: 'account',
    key: 'own-password',
    count: 10,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // An error for a taken name reveals that another account has the name. Users who change their name need only a few
  // attempts.
  ownUsernameTries: {
    counts: 'usernames that a signed-in user tries',
    per: 'account',
    key: 'own-username',
    count: 20,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Each download reads everything that is stored about a user.
  ownDataDownloads: {
    counts: 'copies of their own data that a signed-in user downloads',
    per: 'account',
    key: 'own-data',
    count: 5,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Each picture stores a file and makes two calls to the upload storage.
  ownPictures: {
    counts: 'pictures that a signed-in user uploads',
    per: 'account',
    key: 'own-picture',
    count: 20,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // NIST SP 800-63B-4 §3.2.2 allows at most 100 attempts: six windows of 16 attempts make 96 a day. The windows are
  // short, because an attacker who uses up the limit locks the owner of the address out for the rest of the window.
  codeTriesPerAddress: {
    counts: 'wrong codes of any kind, except to reset a password',
    per: 'address',
    key: 'code',
    count: 16,
    windowSeconds: 4 * HOUR_SECONDS,
    trustedBrowser: 'own counter',
    ...refused,
  },
  // This limit has the same number as sign-in codes, but is counted separately, so that wrong sign-in codes cannot keep
  // the owner from resetting the password. The codes that one network can send to an address in a day allow 30
  // attempts, which use up one window but not two (ADR-0153).
  resetTriesPerAddress: {
    counts: 'wrong codes to reset a password',
    per: 'address',
    key: 'reset-code',
    count: 16,
    windowSeconds: 4 * HOUR_SECONDS,
    trustedBrowser: 'own counter',
    ...refused,
  },
  // This limit has the same number as sent codes: with 96 attempts a day, the probability of guessing one of the three
  // valid codes is three in ten thousand. Each factor has its own counter, so that one cannot use up another's.
  // Attempts are possible only after a first proof.
  totpTries: {
    counts: 'wrong one-time codes of an authenticator app',
    per: 'account',
    key: 'totp',
    count: 16,
    windowSeconds: 4 * HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  backupCodeTries: {
    counts: 'wrong backup codes',
    per: 'account',
    key: 'backup-code',
    count: 10,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // This limit has the same number as other codes, but is counted separately. Nobody can use up this limit without
  // proving the first factor.
  emailFactorTries: {
    counts: 'wrong codes sent by e-mail as a second factor',
    per: 'account',
    key: 'email-factor',
    count: 16,
    windowSeconds: 4 * HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  phoneFactorTries: {
    counts: 'wrong codes sent by SMS as a second factor',
    per: 'account',
    key: 'phone-factor',
    count: 16,
    windowSeconds: 4 * HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  emailFactorSends: {
    counts: 'codes sent by e-mail as a second factor',
    per: 'account',
    key: 'email-factor-send',
    count: 5,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  phoneFactorSends: {
    counts: 'codes sent by SMS as a second factor',
    per: 'account',
    key: 'phone-factor-send',
    count: 5,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  codeSendsPerAddress: {
    counts: 'codes sent, except to reset a password',
    per: 'address',
    key: 'send',
    count: 5,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'own counter',
    burstOf: 'strangerSendsPerAddress',
    ...all,
  },
  // Applies unless the caller has proved ownership of the account with this address. Proving ownership of another
  // account does not help, because anyone can create one. Without this limit, someone with many networks could flood a
  // mailbox with five codes per network. A browser in which the owner has signed in before is exempt, so a stranger who
  // uses up the limit does not affect it (ADR-0146).
  strangerSendsPerAddress: {
    counts: 'codes requested before the account is proven',
    per: 'address',
    key: 'stranger-send',
    count: 20,
    windowSeconds: DAY_SECONDS,
    trustedBrowser: 'exempt',
    ...all,
  },
  // Password resets are counted separately, so that requesting other codes cannot block them. Each network may send
  // fewer codes in a day, so an attacker needs several networks to use up this limit, and then locks the owner out for
  // at most four hours (ADR-0153).
  resetSendsPerAddress: {
    counts: 'codes sent to reset a password',
    per: 'address',
    key: 'reset-send',
    count: 5,
    windowSeconds: 4 * HOUR_SECONDS,
    trustedBrowser: 'own counter',
    ...all,
  },
  resetSendsPerAddressAndNetwork: {
    counts: 'codes sent to reset a password, from one network',
    per: 'address and network',
    key: 'reset-send-network',
    count: 3,
    windowSeconds: DAY_SECONDS,
    trustedBrowser: 'exempt',
    ...all,
  },
  codeSendsPerNetwork: {
    counts: 'codes sent, to any addresses',
    per: 'network',
    key: 'send',
    count: 20,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Enough for the codes of a busy shop, but too few to send messages to a list of addresses.
  sendsPerApplication: {
    counts: 'codes sent through the management API and the services API',
    per: 'application',
    key: 'send',
    count: 1000,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Text messages cost money. The limit bounds what a tenant can lose in a day.
  smsPerTenant: {
    counts: 'text messages, including second factors',
    per: 'tenant',
    key: 'sms',
    count: 1000,
    windowSeconds: DAY_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // A tenth of the tenant's limit. A customer of an IPv6 provider, who may have a /48, must not use up the messages of
  // all users.
  smsPerNetwork: {
    counts: 'text messages with codes, including second factors, to any numbers',
    per: 'largest network',
    key: 'sms',
    count: 100,
    windowSeconds: DAY_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Fraudsters send messages to many numbers in one country within hours.
  smsPerCallingCode: {
    counts: 'text messages to one country calling code',
    per: 'calling code',
    key: 'sms',
    count: 300,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Counted separately from codes, which users need to sign in. When this limit is reached, users receive notices only
  // by email.
  noticesPerNumber: {
    counts: 'text messages about changes to the account',
    per: 'address',
    key: 'notice',
    count: 10,
    windowSeconds: DAY_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  registrationsPerNetwork: {
    counts: 'accounts registered',
    per: 'network',
    key: 'registration',
    count: 50,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    stays: 'accepted',
    longestWindowSeconds: DAY_SECONDS,
  },
  // A rejected submission may reveal that a username is taken, and may require hashing a password.
  submitsPerNetwork: {
    counts: 'refused submits with a username or a password in the profile',
    per: 'network',
    key: 'submit',
    count: 100,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // Each new password requires hashing or a request to the breach service.
  newPasswordsPerNetwork: {
    counts: 'new passwords that users enter',
    per: 'network',
    key: 'new-password',
    count: 100,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Codes have eight letters out of an alphabet of twenty (RFC 8628 §5.1). If a thousand codes are pending, the
  // probability that five attempts hit one of them is one in five million.
  deviceCodeTries: {
    counts: 'unknown device codes',
    per: 'session',
    key: 'device-code',
    count: 5,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // Counted per network, because new sessions cost nothing. The limit is high enough for an office that shares an IP
  // address.
  deviceCodeTriesPerNetwork: {
    counts: 'unknown device codes, in any sessions',
    per: 'network',
    key: 'device-code',
    count: 30,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // Fetching a document makes this server call another one. A user encounters only a few new clients per minute.
  clientDocumentsPerNetwork: {
    counts: 'fetched documents and key sets of unregistered clients',
    per: 'network',
    key: 'client-document',
    count: 20,
    windowSeconds: MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Each call may store a client or try to guess a token.
  clientRegistrationsPerNetwork: {
    counts: 'calls by which clients register themselves',
    per: 'network',
    key: 'client-registration',
    count: 60,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Bounds the messages that an administrator, or somebody with a stolen session, can send to strangers. Our choice.
  invitationSendsPerTenant: {
    counts: 'invitations sent',
    per: 'tenant',
    key: 'invitation-send',
    count: 100,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Links cannot be guessed. The limit bounds the cost of looking them up.
  invitationTriesPerNetwork: {
    counts: 'unknown invitations',
    per: 'network',
    key: 'invitation',
    count: 30,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // Members may invite, and anyone can be a member. Enough to invite a department. Our choice.
  organizationInvitations: {
    counts: 'invitations to an organisation sent',
    per: 'organization',
    key: 'organization-invitation',
    count: 100,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Counted separately from codes, so that invitations cannot keep anybody from signing in.
  organizationInvitationsPerAddress: {
    counts: 'invitations to organisations, to one address',
    per: 'address',
    key: 'organization-invitation',
    count: 5,
    windowSeconds: DAY_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Each check makes this server call two others.
  organizationDomainChecks: {
    counts: 'checks of the domains of an organisation',
    per: 'organization',
    key: 'organization-domain',
    count: 30,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  clientTriesPerNetwork: {
    counts: 'failed client authentications',
    per: 'client and network',
    key: 'client',
    count: 30,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
} as const satisfies Record<string, RateLimit>

export type RateLimitName = keyof typeof RATE_LIMITS

/** The rate limits of a tenant (spec/accounts#rate-limits). */
export type Limits = Record<RateLimitName, Limit> & {
  /** The minimum time for which further attempts are rejected once a limit is exceeded. */
  lockSeconds: number
}

export const rateLimitNames = Object.keys(RATE_LIMITS) as RateLimitName[]

/** Returns the rate limit with this name, typed with all optional fields. */
export const getRateLimit = (name: RateLimitName): RateLimit => RATE_LIMITS[name]

/**
 * The networks to which an IP address belongs, each with the multiple of a limit that it may use. An IPv6 customer has
 * a /64, /56 or /48 (RFC 6177); if only /64 networks were limited, the owner of a /48 would have 65,536 times the
 * limit. An IPv4 address counts as one network.
 */
export const NETWORK_LEVELS = [
  { prefix: 64, factor: 1 },
  { prefix: 56, factor: 4 },
  { prefix: 48, factor: 16 },
] as const

/** The minimum lock after too many consecutive failures, which is as long as a browser remains trusted. */
export const CONSECUTIVE_FAILURES_LOCK_SECONDS = 400 * DAY_SECONDS

/** Builds a record that has a value for every rate limit. */
export const mapLimits = <Value>(getValue: (name: RateLimitName) => Value): Record<RateLimitName, Value> =>
  // The cast is safe, because the object has a value for every name.
  Object.fromEntries(rateLimitNames.map((name) => [name, getValue(name)])) as Record<RateLimitName, Value>
