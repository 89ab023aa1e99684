import type { Account, AccountClaims } from 'oidc-provider'
import { type UserRow, verifiedAddresses } from '../storage/users.ts'

/** The claims of each scope (spec/provider#scopes-and-claims). */
export const claimsByScope = {
  openid: ['sub'],
  profile: ['name', 'picture', 'username'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  custom_data: ['custom_data'],
  identities: ['identities'],
}

/** Large and rarely needed, so they are answered by userinfo and are not in the ID token. */
const onlyInUserinfo = new Set(['custom_data', 'identities'])

/** A user as the library's account. Claims without a value are `null`, not missing. */
export function toProviderAccount(user: UserRow): Account {
  return {
    accountId: user.id,
    async claims(use): Promise<AccountClaims> {
      const verified = verifiedAddresses(user)
      const claims = {
        sub: user.id,
        name: user.name,
        picture: user.avatar,
        username: user.username,
        email: user.primaryEmail,
        email_verified: verified.email,
        phone_number: user.primaryPhone,
        phone_number_verified: verified.phone,
        custom_data: user.customData,
        identities: user.identities,
      }
      if (use === 'userinfo') return claims
      return {
        ...Object.fromEntries(Object.entries(claims).filter(([name]) => !onlyInUserinfo.has(name))),
        sub: user.id,
      }
    },
  }
}
