import { describe, expect, it } from 'vitest'
import { maskIdentifier, maskSecrets } from '../../src/domain/masking.ts'

describe('masking an identifier', () => {
  it.each([
    { type: 'email', value: 'annabel@example.com', shown: 'anna****@example.com' },
    { type: 'email', value: 'annab@example.com', shown: 'anna****@example.com' },
    { type: 'email', value: 'anna@example.com', shown: '****@example.com' },
    { type: 'email', value: 'a@example.com', shown: '****@example.com' },
    { type: 'email', value: '"a@b"cde@example.com', shown: '"a@b****@example.com' },
    { type: 'email', value: '👩🏽‍🚒bcdef@example.com', shown: '👩🏽‍🚒****@example.com' },
    { type: 'phone', value: '4915112345678', shown: '****5678' },
    { type: 'username', value: 'annabel', shown: 'annabel' },
  ] as const)('shows the $type $value as $shown', ({ type, value, shown }) => {
    expect(maskIdentifier({ type, value })).toBe(shown)
  })
})

describe('masking secrets', () => {
  it.each([
    'password',
    'newPassword',
    'confirmPassword',
    'verificationCode',
    'code',
    'code_verifier',
    'client_secret',
    'secret',
    'refresh_token',
    'access_token',
    'id_token',
    'token',
    'id_token_hint',
  ])('hides %s at any depth and inside arrays', (key) => {
    expect(maskSecrets({ [key]: 'x', list: [{ [key]: ['x'] }], deep: { er: { [key]: { x: 1 } } } })).toEqual({
      [key]: '******',
      list: [{ [key]: '******' }],
      deep: { er: { [key]: '******' } },
    })
  })

  it('leaves everything else alone', () => {
    const payload = { event: 'SignIn', count: 0, flag: false, none: null, list: ['password'], passwords: 1 }
    expect(maskSecrets(payload)).toEqual(payload)
    expect(maskSecrets('password')).toBe('password')
    expect(maskSecrets(undefined)).toBeUndefined()
  })

  it('does not change what it was given', () => {
    const payload = { profile: { password: 'secret-1' } }
    maskSecrets(payload)
    expect(payload).toEqual({ profile: { password: 'secret-1' } })
  })

  it('lets the code of an error be read, which is not a secret', () => {
    expect(maskSecrets({ error: { code: 'user.suspended' }, identifier: { code: '123456' } })).toEqual({
      error: { code: 'user.suspended' },
      identifier: { code: '******' },
    })
  })

  it('survives a key that is named like the prototype', () => {
    const masked = maskSecrets(JSON.parse('{"__proto__":{"password":"x"}}'))
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"password":"******"}}')
  })

  it('survives nesting that is meant to exhaust the stack, and hides what it did not look at', () => {
    let nested: unknown = 'secret-1'
    for (let depth = 0; depth < 100_000; depth++) nested = [nested]
    expect(JSON.stringify(maskSecrets(nested))).not.toContain('secret-1')
  })
})
