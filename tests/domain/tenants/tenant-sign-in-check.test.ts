import { describe, expect, it } from 'vitest'
import type { SignInExperience, SignInMethod } from '../../../src/contract/experience/experience.ts'
import type { InstalledConnectors } from '../../../src/domain/experience/experience-settings.ts'
import { allowsSignIn } from '../../../src/domain/tenants/tenant-sign-in-check.ts'
import { buildExperience } from '../given.ts'

const nothing: InstalledConnectors = { email: false, phone: false, targets: [] }
const method = (given: Partial<SignInMethod>): SignInMethod => ({
  identifier: 'username',
  password: false,
  verificationCode: false,
  isPasswordPrimary: false,
  ...given,
})
const codes = { signIn: { methods: [method({ identifier: 'email', verificationCode: true })] } }
const registerOnly: Partial<SignInExperience> = { signInMode: 'Register', signIn: { methods: [] } }

type Row = { where: string; given: Partial<SignInExperience>; connectors: InstalledConnectors; open: boolean }

describe('whether users can sign in', () => {
  it.each<Row>([
    { where: 'new tenants', given: {}, connectors: nothing, open: true },
    { where: 'no method', given: { signIn: { methods: [] } }, connectors: nothing, open: false },
    {
      where: 'a method without a factor',
      given: { signIn: { methods: [method({})] } },
      connectors: nothing,
      open: false,
    },
    {
      where: 'codes for user names',
      given: { signIn: { methods: [method({ verificationCode: true })] } },
      connectors: { ...nothing, email: true },
      open: false,
    },
    {
      where: 'codes without a connector',
      given: codes,
      connectors: { ...nothing, phone: true },
      open: false,
    },
    { where: 'codes', given: codes, connectors: { ...nothing, email: true }, open: true },
    {
      where: 'a social button',
      given: { signIn: { methods: [] }, socialSignInConnectorTargets: ['github'] },
      connectors: { ...nothing, targets: ['github'] },
      open: true,
    },
    {
      where: 'a social button without a connector',
      given: { signIn: { methods: [] }, socialSignInConnectorTargets: ['github'] },
      connectors: { ...nothing, targets: ['google'] },
      open: false,
    },
    { where: 'registration only', given: registerOnly, connectors: nothing, open: true },
    {
      where: 'registration only, by an address that nothing can be sent to',
      given: { ...registerOnly, signUp: { identifiers: ['email'], password: true, verify: true } },
      connectors: nothing,
      open: false,
    },
  ])('is $open with $where', ({ given, connectors, open }) => {
    expect(allowsSignIn(buildExperience(given), connectors)).toBe(open)
  })
})
