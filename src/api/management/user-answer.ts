import { type UserRow, verifiedAddresses } from '../../storage/users.ts'

/** The fields of a user that are answered (spec/management#user-fields): no password, no hash, no tenant. */
export function userAnswer(user: UserRow) {
  const { email: emailVerified, phone: phoneVerified } = verifiedAddresses(user)
  const { id, username, primaryEmail, primaryPhone, name, avatar, customData, identities } = user
  const { lastSignInAt, createdAt, applicationId, isSuspended, termsAgreement } = user
  return {
    ...{ id, username, primaryEmail, primaryPhone, name, avatar, customData, identities },
    ...{ lastSignInAt, createdAt, applicationId, emailVerified, phoneVerified, isSuspended },
    termsAgreement,
  }
}
