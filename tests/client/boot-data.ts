import english from '../../locales/en.json'
import { DEFAULT_EXPERIENCE, type Experience } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { ReturningAccount } from '../../src/contract/sessions/remembered-accounts.ts'

export const bootExperience: Experience = {
  ...DEFAULT_EXPERIENCE,
  supportContact: undefined,
  socialConnectors: [],
  forgotPassword: { email: false, phone: false },
}

/** The boot data of a new tenant's sign-in page during an interaction. */
export const testBootData: BootData = {
  origin: 'https://id.example.com',
  path: '/sign-in',
  search: '?interaction=uid',
  language: 'en',
  phrases: english.translation,
  experience: bootExperience,
  interaction: 'uid',
  navigation: null,
  languages: [],
  preview: null,
  platform: 'web',
  notice: null,
  values: {},
  restartUrl: null,
  error: null,
  logout: null,
  consent: null,
  onward: null,
}

export const withTerms: Experience = {
  ...bootExperience,
  termsOfUseUrl: 'https://example.com/terms',
  privacyPolicyUrl: 'https://example.com/privacy',
}

/** Accounts that a browser remembers, one for each way to continue. */
export const returningAccounts: readonly ReturningAccount[] = [
  { id: 'a', type: 'email', mask: 'ada.****@example.com', way: 'password' },
  { id: 'b', type: 'phone', mask: '****5678', way: 'code' },
  { id: 'c', type: 'username', mask: '****', way: 'passkey' },
  { id: 'd', type: null, mask: '', way: 'social', connectorId: 'github' },
]

export const adaIdentifier = { identifier: { type: 'username', value: 'ada' } } as const
