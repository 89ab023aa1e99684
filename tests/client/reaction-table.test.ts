import { describe, expect, it } from 'vitest'
import type { CallFailure } from '../../client/api/api.ts'
import { getReactionToFailure } from '../../client/journeys/reaction-table.ts'
import german from '../../locales/de.json'
import { testBootData } from './boot-data.ts'
import { phraseCatalogues } from './catalogues.ts'

const failure = (code: CallFailure['code'], data?: unknown): CallFailure => ({ code, message: 'said', data })
const repeatable = (message: string) => ({ kind: 'inline', about: null, message, canRepeat: true }) as const

describe('the reaction to an error', () => {
  it.each([
    ['session.invalid_credentials', { kind: 'inline', about: 'password', message: 'said' }],
    ['user.same_password', { kind: 'inline', about: 'newPassword', message: 'said' }],
    ['password.compromised', { kind: 'inline', about: 'newPassword', message: 'said' }],
    ['user.password_exists_in_profile', { kind: 'alert', message: 'said', back: 1 }],
    ['session.not_found', { kind: 'restart', message: 'said' }],
    ['session.verification_session_not_found', { kind: 'alert', message: 'said', back: 2 }],
    ['session.interaction_not_found', { kind: 'restart', message: 'said' }],
    ['session.identifier_not_found', { kind: 'restart', message: 'said' }],
    ['session.verification_failed', { kind: 'restart', message: 'said' }],
    ['verification_code.code_mismatch', { kind: 'inline', about: 'passcode', message: 'said' }],
    ['verification_code.not_found', { kind: 'inline', about: 'passcode', message: 'said' }],
    ['verification_code.email_mismatch', { kind: 'inline', about: 'passcode', message: 'said' }],
    ['verification_code.phone_mismatch', { kind: 'inline', about: 'passcode', message: 'said' }],
    ['verification_code.expired', { kind: 'inline', about: 'passcode', message: 'said' }],
    ['verification_code.exceed_max_try', { kind: 'inline', about: 'passcode', message: 'said' }],
    ['client.offline', { ...repeatable('You seem to be offline.'), tone: 'offline' }],
    ['client.timeout', repeatable('Request timeout. Please try again later.')],
    ['client.unknown', repeatable('Unknown error. Please try again later.')],
  ] as const)('follows the specification for %s', (code, reaction) => {
    expect(getReactionToFailure(failure(code), testBootData)).toEqual(reaction)
  })

  it.each([
    { path: '/register', reaction: { kind: 'inline', about: 'identifier', message: 'said' } },
    { path: '/continue/username', reaction: { kind: 'inline', about: 'identifier', message: 'said' } },
    { path: '/register/password', reaction: { kind: 'alert', message: 'said', back: 1 } },
    { path: '/continue/password', reaction: { kind: 'alert', message: 'said', back: '/continue/username' } },
    {
      path: '/second-factor/set-up',
      reaction: { kind: 'alert', message: 'said', back: '/continue/username' },
    },
  ] as const)('to a username in use is "Message in the form", or an alert at $path', ({ path, reaction }) => {
    expect(getReactionToFailure(failure('user.username_already_in_use'), { ...testBootData, path })).toEqual(
      reaction,
    )
  })

  it.each([
    'user.suspended',
    'session.password_locked',
    'user.sign_in_method_not_enabled',
    'server.internal',
  ] as const)('"else shows the response message as a toast", and keeps it above the form: %s', (code) => {
    expect(getReactionToFailure(failure(code), testBootData)).toEqual({
      kind: 'inline',
      about: null,
      message: 'said',
      hasToast: true,
    })
  })

  it('is the one that the flow defines, if any', () => {
    const rows = { 'session.not_found': () => ({ kind: 'goTo', path: '/register' }) as const }
    expect(getReactionToFailure(failure('session.not_found'), testBootData, rows)).toEqual({
      kind: 'goTo',
      path: '/register',
    })
  })
})

describe('the message about too many attempts', () => {
  const inGerman = { ...testBootData, language: 'de', phrases: german.translation }

  it.each([
    { retryAfter: 45, speaking: testBootData, message: 'Too many attempts. Please try again in 45 seconds.' },
    { retryAfter: 60, speaking: testBootData, message: 'Too many attempts. Please try again in 1 minute.' },
    {
      retryAfter: 541,
      speaking: testBootData,
      message: 'Too many attempts. Please try again in 10 minutes.',
    },
    {
      retryAfter: 600,
      speaking: inGerman,
      message: 'Zu viele Versuche. Bitte versuchen Sie es in 10 Minuten erneut.',
    },
  ])('states how long to wait: $message', ({ retryAfter, speaking, message }) => {
    expect(getReactionToFailure(failure('request.too_many_requests', { retryAfter }), speaking)).toEqual({
      kind: 'inline',
      about: null,
      message,
    })
  })

  it.each([
    ['en', 120, 'Unknown error. Please try again later. You can try again in 2 minutes.'],
    ['en', 11, 'Unknown error. Please try again later. You can try again in 11 seconds.'],
    [
      'ja',
      120,
      '不明なエラーが発生しました。しばらくしてからもう一度お試しください。2 分後にもう一度お試しいただけます。',
    ],
  ] as const)(
    'states in %s when to retry a call without a valid response: %i s',
    (language, retryAfter, message) => {
      const page = { ...testBootData, language, phrases: phraseCatalogues[language].translation }
      expect(getReactionToFailure(failure('client.unknown', { retryAfter }), page)).toEqual(
        repeatable(message),
      )
    },
  )
})
