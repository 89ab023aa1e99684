import { afterAll, beforeAll } from 'vitest'
import { management } from './management.ts'

/** What a fresh installation says, of what these tests change. */
const usual = {
  signIn: {
    methods: [{ identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }],
  },
  signUp: { identifiers: ['username'], password: true, verify: false },
  signInMode: 'SignInAndRegister',
  termsOfUseUrl: null,
  privacyPolicyUrl: null,
  customContent: {},
  color: { primaryColor: '#6139F6', isDarkModeEnabled: false, darkPrimaryColor: '#8768F8' },
}

export async function offer(experience: Record<string, unknown>): Promise<void> {
  const call = await management()
  await call('PATCH', '/sign-in-exp', experience)
}

/** For as long as a group of tests runs; with a dark theme. */
export function during(experience: Record<string, unknown>): void {
  beforeAll(() => offer({ color: { ...usual.color, isDarkModeEnabled: true }, ...experience }))
  afterAll(() => offer(usual))
}
