const events = ['SignIn', 'Register', 'ForgotPassword']
const calls = [
  'Update',
  'Submit',
  'Profile.Create',
  'Profile.Update',
  'Profile.Delete',
  'Identifier.Password.Submit',
  'Identifier.VerificationCode.Create',
  'Identifier.VerificationCode.Submit',
  'Identifier.Social.Create',
  'Identifier.Passkey.Submit',
  'Factor.Totp.Create',
  'Factor.Totp.Verify',
]
const subjects = [
  'Application',
  'Config',
  'Connector',
  'Hook',
  'Resource',
  'Role',
  'SignInExperience',
  'User',
]

/** Suggestions: the keys that are looked for most (spec/management#audit-keys). Any other one can be typed. */
export const logKeys: readonly string[] = [
  'Interaction.Create',
  'Interaction.End',
  ...events.flatMap((event) => calls.map((call) => `Interaction.${event}.${call}`)),
  'Interaction.SignIn.Identifier.Totp.Submit',
  'Interaction.SignIn.Identifier.BackupCode.Submit',
  'Interaction.SignIn.Identifier.Social.Submit',
  'Interaction.Consent.Allow',
  'Interaction.Consent.Deny',
  'ExchangeTokenBy.AuthorizationCode',
  'ExchangeTokenBy.RefreshToken',
  'ExchangeTokenBy.ClientCredentials',
  'RevokeToken',
  ...subjects.flatMap((subject) =>
    ['Create', 'Update', 'Delete'].map((change) => `Management.${subject}.${change}`),
  ),
]
