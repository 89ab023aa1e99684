import type { ActivityEntry } from '../account/activity.tsx'
import type { AttentionPoints } from '../account/overview.tsx'
import type { ProfileValues } from '../account/profile.tsx'

/** The sample user of account-centre previews (spec/experience#account-preview). */
export const sampleUser = {
  name: 'Ada Lovelace',
  username: 'ada',
  avatar: null,
  primaryEmail: 'ada@example.com',
  primaryPhone: '12025550100',
  createdAt: Date.UTC(2026, 0, 12),
}

/** A single item that needs attention, so that operators see what such items look like. */
export const sampleAttention: AttentionPoints = {
  emailUnverified: false,
  phoneUnverified: false,
  hasNoFactor: true,
  fewCodes: null,
}

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
const phone = { browser: 'Safari', system: 'iPhone' }
const computer = { browser: 'Firefox', system: 'Windows' }

/** The time at which previews are set. */
export const SAMPLE_NOW = at(20, 11)

export const sampleActivity: readonly ActivityEntry[] = [
  {
    id: '1',
    kind: 'signIn',
    at: at(20, 9),
    device: computer,
    country: 'GB',
    city: 'London',
    application: 'Example',
  },
  {
    id: '2',
    kind: 'password',
    at: at(18, 16),
    device: computer,
    country: 'GB',
    city: 'London',
    application: null,
  },
  {
    id: '3',
    kind: 'failedSignIn',
    at: at(18, 16),
    device: phone,
    country: 'GB',
    city: null,
    application: null,
  },
]
