import { describe, expect, it } from 'vitest'
import {
  type AllowedSteps,
  assessProtection,
  type NextStep,
  type ProtectionFacts,
  type ProtectionLevel,
  type Protector,
} from '../../../src/domain/account/protection.ts'

const nothing: ProtectionFacts = {
  email: 'none',
  phone: 'none',
  passkeys: 0,
  hasApp: false,
  hasKey: false,
  backupCodes: 0,
}
const everything: AllowedSteps = { email: true, phone: true, passkeys: true, app: true, codes: true }
const app = { hasApp: true, backupCodes: 10 }

type Example = {
  facts: Partial<ProtectionFacts>
  level: ProtectionLevel
  protectors: Protector[]
  nextSteps: NextStep[]
}
const examples: Example[] = [
  {
    facts: {},
    level: 'weak',
    protectors: [],
    nextSteps: ['addPasskey', 'turnOnTwoStep', 'addEmail'],
  },
  {
    facts: { email: 'unverified' },
    level: 'weak',
    protectors: [],
    nextSteps: ['verifyEmail', 'addPasskey', 'turnOnTwoStep'],
  },
  {
    facts: { phone: 'verified' },
    level: 'fair',
    protectors: ['phone'],
    nextSteps: ['addPasskey', 'turnOnTwoStep'],
  },
  { facts: { passkeys: 1 }, level: 'fair', protectors: ['passkey'], nextSteps: ['addEmail'] },
  { facts: { passkeys: 2 }, level: 'strong', protectors: ['passkey'], nextSteps: [] },
  { facts: { hasKey: true }, level: 'fair', protectors: ['twoStep'], nextSteps: ['addEmail'] },
  { facts: app, level: 'strong', protectors: ['twoStep', 'backupCodes'], nextSteps: [] },
  {
    facts: { ...app, backupCodes: 2 },
    level: 'fair',
    protectors: ['twoStep'],
    nextSteps: ['renewCodes', 'addEmail'],
  },
  // Codes are a fallback for another factor, so they are worth nothing by themselves.
  {
    facts: { backupCodes: 10 },
    level: 'weak',
    protectors: [],
    nextSteps: ['addPasskey', 'turnOnTwoStep', 'addEmail'],
  },
  {
    facts: { ...app, passkeys: 1, email: 'verified', phone: 'unverified' },
    level: 'strong',
    protectors: ['passkey', 'twoStep', 'backupCodes', 'email'],
    nextSteps: ['verifyPhone'],
  },
]

describe('the protection of an account', () => {
  it.each(examples)('is $level with $facts', ({ facts, ...protection }) => {
    expect(assessProtection({ ...nothing, ...facts }, everything)).toEqual(protection)
  })

  const none: AllowedSteps = { email: false, phone: false, passkeys: false, app: false, codes: false }

  it('is not called weak if the user can do nothing about it', () => {
    expect(assessProtection(nothing, none)).toEqual({ level: 'fair', protectors: [], nextSteps: [] })
  })

  it('has only next steps that the user may take', () => {
    const stepsFor = (facts: Partial<ProtectionFacts>, allowed: Partial<AllowedSteps>) =>
      assessProtection({ ...nothing, ...facts }, { ...none, ...allowed }).nextSteps
    expect(stepsFor({ email: 'unverified', phone: 'unverified' }, {})).toEqual([])
    expect(stepsFor({ ...app, backupCodes: 0 }, {})).toEqual([])
    expect(stepsFor({}, { phone: true })).toEqual(['addPhone'])
    expect(stepsFor({}, { app: true })).toEqual(['turnOnTwoStep'])
  })
})
