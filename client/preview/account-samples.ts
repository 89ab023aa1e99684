import { assessProtection } from '../../src/domain/account/protection.ts'
import type { ActivityEntry } from '../account/activity.tsx'
import type { ProfileValues } from '../account/profile.tsx'
import type { SignInValues } from '../account/sign-in.tsx'

/** The sample user of account-centre previews (spec/experience#account-preview). */
export const sampleUser = {
  name: 'Ada Lovelace',
  username: 'ada',
  avatar: null,
  primaryEmail: 'ada@example.com',
  phone: '+1 202-555-0100',
  createdAt: Date.UTC(2026, 0, 12),
  lastSignInAt: Date.UTC(2026, 10, 20, 9, 30),
}

/** The account has a verified address but no second factor, so that operators see what a next step looks like. */
export const sampleProtection = assessProtection(
  { email: 'verified', phone: 'verified', passkeys: 0, hasApp: false, hasKey: false, backupCodes: 0 },
  { email: true, phone: true, passkeys: false, app: true, codes: true },
)

export const sampleProfile: ProfileValues = {
  name: sampleUser.name,
  username: sampleUser.username,
  givenName: 'Ada',
  familyName: 'Lovelace',
  nickname: '',
  birthdate: '',
  gender: '',
  website: 'https://ada.example.com',
  locale: '',
  zoneinfo: '',
  'address.streetAddress': '',
  'address.locality': 'London',
  'address.region': '',
  'address.postalCode': '',
  'address.country': '',
}

const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour, 30)
const phone = { browser: 'Safari', system: 'iOS' }
const computer = { browser: 'Firefox', system: 'Windows' }

/** The time at which previews are set. */
export const SAMPLE_NOW = at(20, 11)

export const sampleActivity: readonly ActivityEntry[] = [
  {
    id: '1',
    what: 'did_sign_in',
    at: at(20, 9),
    device: computer,
    country: 'GB',
    city: 'London',
    application: 'Example',
  },
  {
    id: '2',
    what: 'did_change_password',
    at: at(18, 16),
    device: computer,
    country: 'GB',
    city: 'London',
    application: null,
  },
  { id: '3', what: 'did_fail', at: at(18, 16), device: phone, country: 'GB', city: null, application: null },
]

export const sampleSignIn: SignInValues = {
  email: { value: sampleUser.primaryEmail, isVerified: true },
  phone: { value: sampleUser.phone, isVerified: true },
  hasPassword: true,
  passwordChangedAt: at(18, 16),
  passkeyCount: 1,
  identities: [],
  secondFactors: { isOn: false, hasApp: false, hasKey: false },
  browserCount: 2,
}
