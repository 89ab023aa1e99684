import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { installedChannels, resetChannels } from '../../../src/domain/codes/message-channels.ts'

describe('the message channels', () => {
  it.each([
    { factories: [], email: false, phone: false },
    { factories: ['http-email'], email: true, phone: false },
    { factories: ['twilio-short-message-service', 'github-universal'], email: false, phone: true },
    { factories: ['toString', 'unknown'], email: false, phone: false },
  ])('are derived from the installed connector factories: $factories', ({ factories, email, phone }) => {
    expect(installedChannels(factories)).toEqual({ email, phone })
  })

  const none = { email: false, phone: false }
  const withEmail = {
    signIn: { methods: [] },
    signUp: { identifiers: ['email' as const], password: true, verify: true },
  }
  it.each([
    {
      condition: 'a connector is installed',
      installed: { email: true, phone: false },
      hasInbox: false,
      email: true,
    },
    {
      condition: 'a development inbox replaces the connector',
      installed: none,
      settings: withEmail,
      hasInbox: true,
      email: true,
    },
    { condition: 'the settings use no addresses', installed: none, hasInbox: true, email: false },
    { condition: 'there is no inbox', installed: none, settings: withEmail, hasInbox: false, email: false },
  ])(
    'include email for a password reset ($email) if $condition',
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
