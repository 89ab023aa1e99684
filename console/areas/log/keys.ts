import { hookEvents } from '../../../src/contract/hooks/hooks.ts'

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
const secondFactors = [
  'Totp.Submit',
  'BackupCode.Submit',
  'SecurityKey.Submit',
  'EmailFactor.Create',
  'EmailFactor.Submit',
  'PhoneFactor.Create',
  'PhoneFactor.Submit',
]
const grants = [
  'AuthorizationCode',
  'RefreshToken',
  'ClientCredentials',
  'DeviceCode',
  'TokenExchange',
  'Unknown',
]
const subjects = [
  'Application',
  'Config',
  'Connector',
  'CustomPhrases',
  'Hook',
  'Invitation',
  'Organization',
  'OrganizationApplication',
  'OrganizationDomain',
  'OrganizationInvitation',
  'OrganizationMember',
  'OrganizationRole',
  'OrganizationScope',
  'RegistrationToken',
  'Resource',
  'Role',
  'Scope',
  'SignInExperience',
  'SigningKeys',
  'Tenant',
  'User',
  'UserAsset',
]

/**
 * The keys that the API can look up by index (spec/management#audit-keys). If the user types any other text, the
 * console searches for it as part of a key.
 */
export const logKeys: readonly string[] = [
  'Interaction.Create',
  'Interaction.End',
  ...events.flatMap((event) => calls.map((call) => `Interaction.${event}.${call}`)),
  ...secondFactors.map((factor) => `Interaction.SignIn.Identifier.${factor}`),
  'Interaction.SignIn.Identifier.Social.Submit',
  'Interaction.Passkey.Create',
  'Interaction.Passkey.PutOff',
  'Interaction.Consent.Allow',
  'Interaction.Consent.Deny',
  'Device.Allow',
  'Device.Deny',
  'Organization.Network.Refuse',
  ...grants.map((grant) => `ExchangeTokenBy.${grant}`),
  'RevokeToken',
  ...['Create', 'Update', 'Delete'].map((change) => `ClientRegistration.${change}`),
  ...hookEvents.map((event) => `TriggerHook.${event}`),
  'Account.Deletion.Create',
  'Account.Deletion.Delete',
  'Account.Delete',
  'Account.Data.Export',
  'Account.Invitation.Accept',
  'Account.Invitation.Send',
  'Management.User.Export',
  'Management.User.Rename',
  'Management.User.RolesChange',
  'Management.User.Suspend',
  'Management.User.Reinstate',
  // Earlier versions wrote this key for invitations by a link.
  'Management.AdministratorInvitation.Create',
  'Management.Consent.Delete',
  'Management.SignInTest.Create',
  'Management.SignInTest.Update',
  ...subjects.flatMap((subject) =>
    ['Create', 'Update', 'Delete'].map((change) => `Management.${subject}.${change}`),
  ),
]

/** The keys, or their prefixes, by the name of their group. */
export const keyGroups = {
  signIns: 'Interaction.SignIn.',
  registrations: 'Interaction.Register.',
  passwordResets: 'Interaction.ForgotPassword.',
  consents: 'Interaction.Consent.',
  tokens: 'ExchangeTokenBy.',
  hooks: 'TriggerHook.',
  accounts: 'Account.',
  changes: 'Management.',
  renames: 'Management.User.Rename',
  roleChanges: 'Management.User.RolesChange',
  suspensions: 'Management.User.Suspend',
  reinstatements: 'Management.User.Reinstate',
} as const

export type KeyGroup = keyof typeof keyGroups
