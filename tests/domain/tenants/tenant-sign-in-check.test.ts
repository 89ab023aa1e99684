import { describe, expect, it } from 'vitest'
import type { SignInExperience, SignInMethod } from '../../../src/contract/experience/experience.ts'
import type { InstalledConnectors } from '../../../src/domain/experience/experience-settings.ts'
import { allowsSignIn } from '../../../src/domain/tenants/tenant-sign-in-check.ts'
import { buildExperience } from '../given.ts'

const nothing: InstalledConnectors = { email: false, phone: false, targets: [] }
const method = (fields: Partial<SignInMethod>): SignInMethod => ({
  identifier: 'username',
  password: false,
  verificationCode: false,
  isPasswordPrimary: false,
  ...fields,
})
const codes = { signIn: { methods: [method({ identifier: 'email', verificationCode: true })] } }
const registerOnly: Partial<SignInExperience> = { signInMode: 'Register', signIn: { methods: [] } }

type Row = {
  what: string
  experience: Partial<SignInExperience>
  connectors: InstalledConnectors
  isOpen: boolean
}

describe('the check that users can sign in', () => {
  it.each<Row>([
    { what: 'the settings of a new tenant', experience: {}, connectors: nothing, isOpen: true },
    {
      what: 'no sign-in methods',
      experience: { signIn: { methods: [] } },
      connectors: nothing,
      isOpen: false,
    },
    {
      what: 'a method without a factor',
      experience: { signIn: { methods: [method({})] } },
      connectors: nothing,
      isOpen: false,
    },
    {
      what: 'codes sent to usernames',
      experience: { signIn: { methods: [method({ verificationCode: true })] } },
      connectors: { ...nothing, email: true },
      isOpen: false,
    },
    {
      what: 'codes without a connector',
      experience: codes,
      connectors: { ...nothing, phone: true },
      isOpen: false,
    },
    {
      what: 'codes with a connector',
      experience: codes,
      connectors: { ...nothing, email: true },
      isOpen: true,
    },
    {
      what: 'a social button',
      experience: { signIn: { methods: [] }, socialSignInConnectorTargets: ['github'] },
      connectors: { ...nothing, targets: ['github'] },
      isOpen: true,
    },
    {
      what: 'a social button without a connector',
      experience: { signIn: { methods: [] }, socialSignInConnectorTargets: ['github'] },
      connectors: { ...nothing, targets: ['google'] },
      isOpen: false,
    },
    { what: 'registration only', experience: registerOnly, connectors: nothing, isOpen: true },
    {
      what: 'registration only, by an address that nothing can send to',
      experience: { ...registerOnly, signUp: { identifiers: ['email'], password: true, verify: true } },
      connectors: nothing,
      isOpen: false,
    },
  ])('returns $isOpen for $what', ({ experience, connectors, isOpen }) => {
    expect(allowsSignIn(buildExperience(experience), connectors)).toBe(isOpen)
  })
})
