import { describe, expect, it } from 'vitest'
import { maskIdentifier, maskQuotedSecrets, maskSecrets } from '../../src/domain/masking.ts'

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
  ] as const)('[ASVS-14.2.6] shows the $type $value as $shown', ({ type, value, shown }) => {
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
    'state',
    'nonce',
  ])('[ASVS-16.2.5-2] hides %s at any depth and inside arrays', (key) => {
    expect(maskSecrets({ [key]: 'x', list: [{ [key]: ['x'] }], deep: { er: { [key]: { x: 1 } } } })).toEqual({
      [key]: '******',
      list: [{ [key]: '******' }],
      deep: { er: { [key]: '******' } },
    })
  })

  it('keeps everything else', () => {
    const payload = { event: 'SignIn', count: 0, flag: false, none: null, list: ['password'], passwords: 1 }
    expect(maskSecrets(payload)).toEqual(payload)
    expect(maskSecrets('password')).toBe('password')
    expect(maskSecrets(undefined)).toBeUndefined()
  })

  it('does not change the given value', () => {
    const payload = { profile: { password: 'secret-1' } }
    maskSecrets(payload)
    expect(payload).toEqual({ profile: { password: 'secret-1' } })
  })

  it('keeps the code of an error, which is no secret', () => {
    expect(maskSecrets({ error: { code: 'user.suspended' }, identifier: { code: '123456' } })).toEqual({
      error: { code: 'user.suspended' },
      identifier: { code: '******' },
    })
  })

  it('accepts a key that is named like the prototype', () => {
    const masked = maskSecrets(JSON.parse('{"__proto__":{"password":"x"}}'))
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"password":"******"}}')
  })

  it('accepts nesting that is meant to exhaust the stack, and hides everything below its limit', () => {
    let nested: unknown = 'secret-1'
    for (let depth = 0; depth < 100_000; depth++) nested = [nested]
    expect(JSON.stringify(maskSecrets(nested))).not.toContain('secret-1')
  })
})

describe('masking the answer of another server', () => {
  const secret = 'pass +&"word-9'
  it.each([
    { how: 'as it is', said: `no: ${secret}.`, shown: 'no: ******.' },
    { how: 'in a query', said: `?p=${encodeURIComponent(secret)}&q=1`, shown: '?p=******&q=1' },
    {
      how: 'in a form',
      said: `p=${new URLSearchParams([['', secret]]).toString().slice(1)}`,
      shown: 'p=******',
    },
    { how: 'in JSON', said: JSON.stringify({ p: secret }), shown: '{"p":"******"}' },
    { how: 'cut off', said: `no: ${secret.slice(0, 9)}`, shown: 'no: ******' },
    { how: 'and its headers', said: '"authorization":"Basic YTpi"', shown: '"authorization":"Basic ******"' },
    { how: 'and tokens of its own', said: 'access_token=abc.def&ok', shown: 'access_token=******&ok' },
  ])('hides a secret $how', ({ said, shown }) => {
    expect(maskQuotedSecrets(said, { config: { deep: [secret] } })).toBe(shown)
  })

  it('keeps the rest, in values of any shape', () => {
    const said = { status: 400, text: '{"error":"invalid_grant","token_type":"bearer"}', list: [null, 1] }
    expect(maskQuotedSecrets(said, [{ secret }])).toEqual(said)
    expect(maskQuotedSecrets(undefined, secret)).toBeUndefined()
  })

  it('accepts half a surrogate pair', () => {
    expect(maskQuotedSecrets('x', 'a long secret with \ud800 in it')).toBe('x')
  })
})
