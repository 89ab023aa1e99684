import { codeFactors } from '../factors/code-factors.ts'

/** The kinds of events in the activity list that users see (spec/account-centre#activity). */
export type ActivityKind =
  | 'signIn'
  | 'failedSignIn'
  | 'registration'
  | 'passwordReset'
  | 'password'
  | 'profile'
  | 'email'
  | 'phone'
  | 'factor'
  | 'passkey'
  | 'identity'
  | 'session'
  | 'browser'
  | 'accessGiven'
  | 'accessWithdrawn'
  | 'operator'
  | 'download'
  | 'deletion'
  | 'deletionCancelled'
  | 'organization'
  | 'other'

/** The kinds of completed events, keyed by audit key. */
const kindsByKey: Readonly<Record<string, ActivityKind>> = {
  'Interaction.SignIn.Submit': 'signIn',
  'Interaction.Register.Submit': 'registration',
  'Interaction.ForgotPassword.Submit': 'passwordReset',
  'Interaction.Passkey.Create': 'passkey',
  'Interaction.Consent.Allow': 'accessGiven',
  'Device.Allow': 'accessGiven',
  'Account.Consent.Delete': 'accessWithdrawn',
  'Account.Data.Export': 'download',
  'Account.Deletion.Create': 'deletion',
  'Account.Deletion.Delete': 'deletionCancelled',
}

/** Maps the subject of `Account.{subject}.{action}` to the kind of change. */
const kindsBySubject: Readonly<Record<string, ActivityKind>> = {
  Profile: 'profile',
  Email: 'email',
  Phone: 'phone',
  CustomData: 'profile',
  Password: 'password',
  Factor: 'factor',
  Passkey: 'passkey',
  Identity: 'identity',
  Session: 'session',
  TrustedBrowser: 'browser',
  Organization: 'organization',
  OrganizationMember: 'organization',
  OrganizationInvitation: 'organization',
  OrganizationDomain: 'organization',
}

/** The keys of events that precede a change but change nothing themselves. */
const steps = [
  'Account.Password.Verify',
  'Account.VerificationCode.Create',
  'Account.VerificationCode.Verify',
]

/**
 * The keys of the audit rows that users see: completed events with these keys or prefixes, except intermediate steps,
 * and the failed events listed here.
 */
export const activityKeys = {
  completed: Object.keys(kindsByKey),
  prefixes: ['Account.', 'Management.User.', 'Management.Consent.'],
  steps,
  refused: [
    ...['Password', 'Totp', 'BackupCode', 'Passkey', 'SecurityKey'],
    ...Object.values(codeFactors).map(({ auditName }) => auditName),
  ].map((proof) => `Interaction.SignIn.Identifier.${proof}.Submit`),
} as const

/**
 * Checks whether an operator caused the event. Users never see an operator's network address or browser, even for a
 * failed request.
 */
export const isOperatorEvent = ({ key }: { key: string }): boolean => key.startsWith('Management.')

/** Returns the kind of an audit row that users see. */
export function classifyActivity({ key, result }: { key: string; result: string }): ActivityKind {
  if (key === 'Management.User.Create') return 'registration'
  if (isOperatorEvent({ key })) return 'operator'
  if (result === 'Error') return 'failedSignIn'
  return kindsByKey[key] ?? kindsBySubject[key.split('.')[1] ?? ''] ?? 'other'
}

/** A position in the activity list, which is the last row of the previous page. The next page contains older rows. */
export type ActivityCursor = { createdAt: number; id: string }

export const formatCursor = ({ createdAt, id }: ActivityCursor): string => `${createdAt}.${id}`

/** Parses a cursor. Returns null for any other text, in which case the list starts with the newest row. */
export function parseCursor(text: string | null): ActivityCursor | null {
  const [, time, id] = /^(\d{1,15})\.([\w~-]{1,128})$/.exec(text ?? '') ?? []
  return time && id ? { createdAt: Number(time), id } : null
}
