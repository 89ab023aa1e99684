/** Invented users of the examples, and what belongs to them. */
import type { User } from '../contract/users.schema.ts'
import { createdAt, email, ids } from './openapi-example-facts.ts'

const termsAgreement: User['termsAgreement'] = {
  agreedAt: createdAt,
  policy: 'ManualRegistrationOnly',
  termsOfUseUrl: 'https://shop.example.com/terms',
  privacyPolicyUrl: null,
}

export const user = {
  id: ids.user,
  username: 'ann',
  primaryEmail: email,
  primaryPhone: null,
  name: 'Ann Example',
  avatar: null,
  customData: { customerNumber: 4711 },
  identities: {
    google: { userId: '110248495921238986420', details: { id: '110248495921238986420', email } },
  },
  lastSignInAt: createdAt,
  createdAt,
  applicationId: ids.application,
  emailVerified: true,
  phoneVerified: false,
  termsAgreement,
  isSuspended: false,
} satisfies User
export const profile = {
  id: ids.user,
  username: 'ann',
  name: 'Ann Example',
  avatar: null,
  primaryEmail: email,
  emailVerified: true,
  hasPassword: true,
  createdAt,
  lastSignInAt: createdAt,
  termsAgreement,
}
export const session = {
  id: ids.session,
  signedInAt: createdAt,
  expiresAt: createdAt + 1_209_600_000,
  applications: [{ id: ids.application, name: 'Web shop' }],
}

export const consent = {
  application: { id: ids.application, name: 'Web shop' },
  scopes: ['openid', 'profile'],
  resources: [{ indicator: 'https://api.example.com/orders', name: 'Orders', scopes: ['read:orders'] }],
  grantedAt: createdAt,
  lastUsedAt: createdAt + 3_600_000,
}
