/** What the audit log tells users of their account (spec/account-centre#activity). */
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
  | 'other'

/** By key, for rows of what has happened. */
const done: Readonly<Record<string, ActivityKind>> = {
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

/** By the subject of `Account.{subject}.{action}`. */
const subjects: Readonly<Record<string, ActivityKind>> = {
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
}

/** Steps on the way to a change, which change nothing themselves. */
const steps = [
  'Account.Password.Verify',
  'Account.VerificationCode.Create',
  'Account.VerificationCode.Verify',
]

/** Which rows are shown: these keys of what has happened, all keys that begin so but for the steps, and these refusals. */
export const activityKeys = {
  done: Object.keys(done),
  begins: ['Account.', 'Management.User.', 'Management.Consent.'],
  steps,
  refused: ['Password', 'Totp', 'BackupCode', 'Passkey', 'SecurityKey', 'EmailFactor', 'PhoneFactor'].map(
    (proof) => `Interaction.SignIn.Identifier.${proof}.Submit`,
  ),
} as const

/** Their network address and browser are not for the user, also where they were refused. */
export const isByOperator = ({ key }: { key: string }): boolean => key.startsWith('Management.')

/** Of a row that is shown. */
export function activityKind({ key, result }: { key: string; result: string }): ActivityKind {
  if (key === 'Management.User.Create') return 'registration'
  if (isByOperator({ key })) return 'operator'
  if (result === 'Error') return 'failedSignIn'
  return done[key] ?? subjects[key.split('.')[1] ?? ''] ?? 'other'
}

/** A place in the list, of the row before it: the newest rows follow. */
export type ActivityCursor = { createdAt: number; id: string }

export const writeCursor = ({ createdAt, id }: ActivityCursor): string => `${createdAt}.${id}`

/** Null for what is no place: the list then begins with the newest. */
export function readCursor(text: string | null): ActivityCursor | null {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,128})$/.exec(text ?? '') ?? []
  return time && id ? { createdAt: Number(time), id } : null
}
