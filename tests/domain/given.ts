import { DEFAULT_EXPERIENCE, type Experience } from '../../src/contract/experience/experience.ts'
import type { Proof, SocialProfile } from '../../src/contract/interactions/interaction.ts'
import type { Account } from '../../src/domain/interactions/accounts.ts'

/** Returns an account with only these fields and no other identifiers, password or identities. */
export function buildAccount(fields: Partial<Account> & { id: string }): Account {
  return {
    username: null,
    email: null,
    phone: null,
    name: null,
    avatar: null,
    hasPassword: false,
    identities: {},
    emailVerified: true,
    phoneVerified: true,
    isSuspended: false,
    revokedAt: null,
    applicationId: null,
    ...fields,
  }
}

/** Returns a new tenant's sign-in experience with changes. */
export function buildExperience(changes: Partial<Experience> = {}): Experience {
  return {
    ...DEFAULT_EXPERIENCE,
    socialConnectors: [],
    forgotPassword: { email: false, phone: false },
    ...changes,
  }
}

/** Settings that enable every sign-in method. */
export const everyWay = {
  signIn: {
    methods: (['username', 'email', 'phone'] as const).map((identifier) => ({
      identifier,
      password: true,
      verificationCode: true,
      isPasswordPrimary: true,
    })),
  },
  passkeys: true as const,
}

export const byPassword = (userId: string): Proof => ({ kind: 'account', userId, provenAt: 1 })
export const byPasskey = (userId: string, credentialId = 'kept'): Proof => ({
  kind: 'passkey',
  userId,
  provenAt: 1,
  credentialId,
  isUserVerified: true,
  isBackedUp: true,
})
export const byEmail = (value: string): Proof => ({ kind: 'email', value, provenAt: 1 })
export const byPhone = (value: string): Proof => ({ kind: 'phone', value, provenAt: 1 })
export const bySocial = (connectorId: string, profile: SocialProfile): Proof => ({
  kind: 'social',
  connectorId,
  profile,
  provenAt: 1,
})

/** Second-factor facts for a tenant that requires no second factor. */
export const noSecondFactor = {
  common: [],
  ofAccounts: [],
  requestsTwoFactors: false,
  factors: [],
  maxDeferrals: 0,
  holdings: [],
}
