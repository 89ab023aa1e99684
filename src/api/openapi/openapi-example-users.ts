/** Fictional users for the OpenAPI examples, with their passkeys, sessions and other data. */
import { HOUR } from '../../contract/time.ts'
import type { User } from '../../contract/users/users.schema.ts'
import { createdAt, email, ids } from './openapi-example-facts.ts'

const termsAgreement: User['termsAgreement'] = {
  agreedAt: createdAt,
  policy: 'ManualRegistrationOnly',
  termsOfUseUrl: 'https://shop.example.com/terms',
  privacyPolicyUrl: null,
}

const standardClaims: User['profile'] = {
  givenName: 'Ann',
  familyName: 'Example',
  birthdate: '1990-05-17',
  zoneinfo: 'Europe/Berlin',
  locale: 'de-DE',
  address: { streetAddress: '1 Example Street', locality: 'Berlin', postalCode: '10115', country: 'DE' },
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
  profile: standardClaims,
  profileUpdatedAt: createdAt,
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
  profile: standardClaims,
  profileUpdatedAt: createdAt,
}
export const session = {
  id: ids.session,
  signedInAt: createdAt,
  expiresAt: createdAt + 1_209_600_000,
  lastSeenAt: createdAt,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  country: 'DE',
  city: 'Hamburg',
  applications: [{ id: ids.application, name: 'Web shop' }],
}

export const trustedBrowser = {
  id: ids.trustedBrowser,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  createdAt,
  lastSeenAt: createdAt + 2_678_400_000,
  rememberedUntil: createdAt + 2_592_000_000,
}

export const consent = {
  application: { id: ids.application, name: 'Web shop' },
  unregistered: null,
  scopes: ['openid', 'profile'],
  claims: ['email'],
  resources: [{ indicator: 'https://api.example.com/orders', name: 'Orders', scopes: ['read:orders'] }],
  grantedAt: createdAt,
  lastUsedAt: createdAt + HOUR,
}
