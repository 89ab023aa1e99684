import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { installedChannels, resetChannels } from '../../../src/domain/codes/message-channels.ts'

describe('the message channels', () => {
  it.each([
    { factories: [], email: false, phone: false },
    { factories: ['http-email'], email: true, phone: false },
    { factories: ['twilio-short-message-service', 'github-universal'], email: false, phone: true },
    { factories: ['toString', 'unknown'], email: false, phone: false },
  ])('are derived from the installed factories: $factories', ({ factories, email, phone }) => {
    expect(installedChannels(factories)).toEqual({ email, phone })
  })

  const none = { email: false, phone: false }
  const withEmail = {
    signIn: { methods: [] },
    signUp: { identifiers: ['email' as const], password: true, verify: true },
  }
  it.each([
    {
      why: 'a connector is installed',
      installed: { email: true, phone: false },
      hasInbox: false,
      email: true,
    },
    {
      why: 'the inbox replaces a connector',
      installed: none,
      settings: withEmail,
      hasInbox: true,
      email: true,
    },
    { why: 'the settings use no addresses', installed: none, hasInbox: true, email: false },
    { why: 'there is no inbox', installed: none, settings: withEmail, hasInbox: false, email: false },
  ])(
    'offer email for a password reset ($email) because $why',
    ({ installed, settings = DEFAULT_EXPERIENCE, hasInbox, email }) => {
      expect(resetChannels(installed, settings, { hasInbox })).toEqual({ email, phone: false })
    },
  )

  it('offer phones for a password reset if a connector is installed or the inbox replaces it', () => {
    const signUp = { identifiers: [], password: true, verify: true }
    const method = {
      identifier: 'phone',
      password: true,
      verificationCode: false,
      isPasswordPrimary: true,
    } as const
    const settings = { signIn: { methods: [method] }, signUp }
    const onlyPhone = { email: false, phone: true }
    expect(resetChannels(none, settings, { hasInbox: true })).toEqual(onlyPhone)
    expect(resetChannels(none, settings, { hasInbox: false })).toEqual(none)
    expect(resetChannels(onlyPhone, DEFAULT_EXPERIENCE, { hasInbox: false })).toEqual(onlyPhone)
  })
})
