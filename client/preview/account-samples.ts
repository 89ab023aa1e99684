import type { ActivityEntry } from '../account/activity.tsx'
import type { AttentionPoints } from '../account/overview.tsx'
import type { ProfileValues } from '../account/profile/profile-fields.ts'

/** When the samples are seen. */
export const SAMPLE_NOW = Date.UTC(2026, 10, 20, 10)

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
  birthdate: '1815-12-10',
  gender: '',
  website: 'https://ada.example.com',
  locale: '',
  zoneinfo: 'Europe/London',
  'address.streetAddress': '12 St James’s Square',
  'address.locality': 'London',
  'address.region': '',
  'address.postalCode': 'SW1Y 4JH',
  'address.country': 'GB',
}

const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour, 30)
const phone = { browser: 'Safari', system: 'iOS' }
const computer = { browser: 'Firefox', system: 'Windows' }

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
