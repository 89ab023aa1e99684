/**
 * Every rate limit of the product (spec/limits#rate-limits, ADR-0064): what is counted, for whom, how often within which
 * window, what stays counted, and how trusted browsers are treated. A tenant has a setting of the same name for each.
 */

import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from './time.ts'

/** At most `count` within `windowSeconds` of the first. */
export type Limit = { count: number; windowSeconds: number }

/** Who shares a counter (spec/accounts#counter-subjects). A network has several counters, see `NETWORK_LEVELS`; the largest has one. */
export type CounterSubject =
  | 'account'
  | 'session'
  | 'address'
  | 'address and network'
  | 'network'
  | 'largest network'
  | 'client and network'
  | 'application'
  | 'tenant'
  | 'calling code'

type RateLimit = Limit & {
  counts: string
  per: CounterSubject
  /** Begins the keys of its counters. */
  key: string
  /** Everything is consumed in advance; what does not stay is refunded afterwards. */
  stays: 'refused' | 'accepted' | 'all'
  /** Of a browser in which the account of the attempt signed in before (spec/accounts#trusted-browser). */
  trustedBrowser: 'counted' | 'own counter' | 'exempt'
  /** The longest window that a tenant may set. A longer lock would shut out the owner of an account. Ours. */
  longestWindowSeconds: number
  /** The counter counts failures in a row: each prolongs the window, a success or a reset deletes it. */
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
    ...refused,
  },
  // NIST SP 800-63B-4 §3.2.2: no more than 100 consecutive failed attempts.
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
  // Enough for an office that shares an address, too few to try a list of leaked passwords (ADR-0048).
  passwordTriesPerNetwork: {
    counts: 'wrong passwords, for any accounts',
    per: 'network',
    key: 'password',
    count: 100,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'exempt',
    ...refused,
  },
  // A signature cannot be guessed; this bounds the work of checking them.
  passkeyTriesPerNetwork: {
    counts: 'refused passkeys, of any accounts',
    per: 'network',
    key: 'passkey',
    count: 100,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // A counter of its own, so that a stolen token does not refuse the owner's sign-in.
  ownPasswordTries: {
    counts: 'wrong present passwords of a signed-in user',
    per: 'account',
    key: 'own-password',
    count: 10,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // Whether a name is taken is an answer about other accounts; a user who changes the name tries a few.
  ownUsernameTries: {
    counts: 'usernames that a signed-in user asks for',
    per: 'account',
    key: 'own-username',
    count: 20,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Each reads everything that is stored about a user.
  ownDataDownloads: {
    counts: 'copies of the own data that a signed-in user takes',
    per: 'account',
    key: 'own-data',
    count: 5,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Each stores a file and costs two calls of the place for uploads.
  ownPictures: {
    counts: 'pictures that a signed-in user uploads',
    per: 'account',
    key: 'own-picture',
    count: 20,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // NIST SP 800-63B-4 §3.2.2 allows at most 100: here, six windows of 16 a day. Short windows, because an attacker who
  // uses them up locks the owner of the address out until the window ends.
  codeTriesPerAddress: {
    counts: 'wrong codes of any kind, except to reset a password',
    per: 'address',
    key: 'code',
    count: 16,
    windowSeconds: 4 * HOUR_SECONDS,
    trustedBrowser: 'own counter',
    ...refused,
  },
  // As many, apart from all others, so that nobody bars the owner from a reset by wrong codes of a sign-in. The codes that one
  // network may have sent there in a day have 30 tries, which use up one window and no second one (ADR-0153).
  resetTriesPerAddress: {
    counts: 'wrong codes to reset a password',
    per: 'address',
    key: 'reset-code',
    count: 16,
    windowSeconds: 4 * HOUR_SECONDS,
    trustedBrowser: 'own counter',
    ...refused,
  },
  // As for codes that are sent: of 96 tries a day, three in ten thousand meet one of the three codes that count. A counter
  // for each factor, so that one cannot use up another; they count only after a first proof.
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
  // As many as of any code; counters of their own, so that who knows no first factor uses up none of the second.
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
    ...all,
  },
  // Counted unless the caller has proved the account that has the address: a list of networks would fill a mailbox, five codes
  // at a time, and a proof of some other account costs nothing.
  // A stranger who uses it up bars no browser in which the owner has signed in before (ADR-0146).
  strangerSendsPerAddress: {
    counts: 'codes requested before the account is proven',
    per: 'address',
    key: 'stranger-send',
    count: 20,
    windowSeconds: DAY_SECONDS,
    trustedBrowser: 'exempt',
    ...all,
  },
  // Password resets have counters of their own, so that nobody bars the owner from them by other codes. A day's share of one
  // network is less than the address has in four hours, and whoever uses those up bars the owner for no longer (ADR-0153).
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
  // Enough for the codes of a busy shop, too few to send mail to a list of addresses.
  sendsPerApplication: {
    counts: 'codes sent through the management and the services API',
    per: 'application',
    key: 'send',
    count: 1000,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // A text message costs money: this is what a tenant loses at most in a day.
  smsPerTenant: {
    counts: 'text messages, also with second factors',
    per: 'tenant',
    key: 'sms',
    count: 1000,
    windowSeconds: DAY_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // A tenth of what the tenant has: one customer of an IPv6 provider has a /48, and must not use up the messages of all others.
  smsPerNetwork: {
    counts: 'text messages with codes, also as second factors, to any numbers',
    per: 'largest network',
    key: 'sms',
    count: 100,
    windowSeconds: DAY_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Fraud sends to many numbers of one country within hours.
  smsPerCallingCode: {
    counts: 'text messages to one country calling code',
    per: 'calling code',
    key: 'sms',
    count: 300,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Apart from codes, which a phone needs to sign in. Above it a notice reaches its user by e-mail only.
  noticesPerNumber: {
    counts: 'text messages that tell of changes to the account',
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
  // A refused submit may say that a username is taken, or cost a hash.
  submitsPerNetwork: {
    counts: 'refused submits with a username or a password in the profile',
    per: 'network',
    key: 'submit',
    count: 100,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // Each costs hashes, or a question to the service that knows leaked passwords.
  newPasswordsPerNetwork: {
    counts: 'new passwords that users give',
    per: 'network',
    key: 'new-password',
    count: 100,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // RFC 8628 §5.1: of eight letters out of twenty, five tries meet one of a thousand waiting codes once in five million windows.
  deviceCodeTries: {
    counts: 'unknown codes of devices',
    per: 'session',
    key: 'device-code',
    count: 5,
    windowSeconds: 10 * MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // A new session costs nothing. Enough for an office that shares an address.
  deviceCodeTriesPerNetwork: {
    counts: 'unknown codes of devices, in any sessions',
    per: 'network',
    key: 'device-code',
    count: 30,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  // Each makes this server ask another one. A person meets few new clients in a minute.
  clientDocumentsPerNetwork: {
    counts: 'documents and key sets of unregistered clients that are fetched',
    per: 'network',
    key: 'client-document',
    count: 20,
    windowSeconds: MINUTE_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // Each may store a client, or guess a token.
  clientRegistrationsPerNetwork: {
    counts: 'calls by which clients register themselves',
    per: 'network',
    key: 'client-registration',
    count: 60,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...all,
  },
  // A link cannot be guessed; this bounds the work of looking one up.
  invitationTriesPerNetwork: {
    counts: 'unknown invitations of administrators',
    per: 'network',
    key: 'invitation',
    count: 30,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
  clientTriesPerNetwork: {
    counts: 'failed authentications of a client',
    per: 'client and network',
    key: 'client',
    count: 30,
    windowSeconds: HOUR_SECONDS,
    trustedBrowser: 'counted',
    ...refused,
  },
} as const satisfies Record<string, RateLimit>

export type RateLimitName = keyof typeof RATE_LIMITS

/** The settings of a tenant (spec/accounts#rate-limits). */
export type Limits = Record<RateLimitName, Limit> & {
  /** A reached limit refuses for at least this long. */
  lockSeconds: number
}

export const rateLimitNames = Object.keys(RATE_LIMITS) as RateLimitName[]

/** With the type that says which fields a row may have. */
export const rateLimit = (name: RateLimitName): RateLimit => RATE_LIMITS[name]

/**
 * The networks that an address belongs to, and how many times a limit each may use: an IPv6 customer has a /64, /56 or
 * /48 (RFC 6177), so limits of a /64 alone would leave a /48 with 65,536 of them. An IPv4 address is one network.
 */
export const NETWORK_LEVELS = [
  { prefix: 64, factor: 1 },
  { prefix: 56, factor: 4 },
  { prefix: 48, factor: 16 },
] as const

/** What a reached limit of failures in a row refuses at least: as long as a browser is remembered. */
export const IN_A_ROW_LOCK_SECONDS = 400 * DAY_SECONDS

/** A value of each kind for every limit. */
export const forEachLimit = <Value>(make: (name: RateLimitName) => Value): Record<RateLimitName, Value> =>
  // Every name of the table has been made.
  Object.fromEntries(rateLimitNames.map((name) => [name, make(name)])) as Record<RateLimitName, Value>
