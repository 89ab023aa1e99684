import { describe, expect, it } from 'vitest'
import { maskIdentifier, maskQuotedSecrets, maskSecrets } from '../../src/domain/masking.ts'

/** Returns a secret that is nested 100,000 times. */
function nest(wrap: (value: unknown) => unknown): unknown {
  let nested: unknown = 'secret-1'
  for (let depth = 0; depth < 100_000; depth++) nested = wrap(nested)
  return nested
}

describe('masking an identifier', () => {
  it.each([
    { type: 'email', value: 'annabel@example.com', expected: 'anna****@example.com' },
    { type: 'email', value: 'annab@example.com', expected: 'anna****@example.com' },
    { type: 'email', value: 'anna@example.com', expected: '****@example.com' },
    { type: 'email', value: 'a@example.com', expected: '****@example.com' },
    { type: 'email', value: '"a@b"cde@example.com', expected: '"a@b****@example.com' },
    { type: 'email', value: '👩🏽‍🚒bcdef@example.com', expected: '👩🏽‍🚒****@example.com' },
    { type: 'phone', value: '4915112345678', expected: '****5678' },
    { type: 'username', value: 'annabel', expected: 'annabel' },
  ] as const)('[ASVS-14.2.6] replaces the $type $value with $expected', ({ type, value, expected }) => {
    expect(maskIdentifier({ type, value })).toBe(expected)
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

  it('leaves other fields unmasked', () => {
    const payload = { event: 'SignIn', count: 0, flag: false, none: null, list: ['password'], passwords: 1 }
    expect(maskSecrets(payload)).toEqual(payload)
    expect(maskSecrets('password')).toBe('password')
    expect(maskSecrets(undefined)).toBeUndefined()
  })

  it('does not modify its argument', () => {
    const payload = { profile: { password: 'secret-1' } }
    maskSecrets(payload)
    expect(payload).toEqual({ profile: { password: 'secret-1' } })
  })

  it('keeps error codes, which are not secret', () => {
    expect(maskSecrets({ error: { code: 'user.suspended' }, identifier: { code: '123456' } })).toEqual({
      error: { code: 'user.suspended' },
      identifier: { code: '******' },
    })
  })

  it('supports a key named `__proto__`', () => {
    const masked = maskSecrets(JSON.parse('{"__proto__":{"password":"x"}}'))
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"password":"******"}}')
  })

  it('masks deeply nested values entirely, so that recursion cannot exhaust the stack', () => {
    for (const nested of [nest((value) => [value]), nest((value) => ({ value }))])
      expect(JSON.stringify(maskSecrets(nested))).not.toContain('secret-1')
  })
})

describe('masking a response from another server', () => {
  const secret = 'pass +&"word-9'
  it.each([
    { how: 'in plain text', response: `no: ${secret}.`, expected: 'no: ******.' },
    { how: 'in a query', response: `?p=${encodeURIComponent(secret)}&q=1`, expected: '?p=******&q=1' },
    {
      how: 'in a form',
      response: `p=${new URLSearchParams([['', secret]]).toString().slice(1)}`,
      expected: 'p=******',
    },
    { how: 'in JSON', response: JSON.stringify({ p: secret }), expected: '{"p":"******"}' },
    { how: 'cut off', response: `no: ${secret.slice(0, 9)}`, expected: 'no: ******' },
    {
      how: 'in quoted headers',
      response: '"authorization":"Basic YTpi"',
      expected: '"authorization":"Basic ******"',
    },
    { how: 'in tokens of its own', response: 'access_token=abc.def&ok', expected: 'access_token=******&ok' },
  ])('masks a secret $how', ({ response, expected }) => {
    expect(maskQuotedSecrets(response, { config: { deep: [secret] } })).toBe(expected)
  })

  it('keeps the text around the secret in values of any shape', () => {
    const response = { status: 400, text: '{"error":"invalid_grant","token_type":"bearer"}', list: [null, 1] }
    expect(maskQuotedSecrets(response, [{ secret }])).toEqual(response)
    expect(maskQuotedSecrets(undefined, secret)).toBeUndefined()
  })

  it('masks secrets in keys and values of objects and lists', () => {
    const response = { [`key ${secret}`]: [secret, { text: secret }] }
    expect(maskQuotedSecrets(response, secret)).toEqual({ 'key ******': ['******', { text: '******' }] })
  })

  it.each([[['secret-1', 'secret-1-and-more']], [['secret-1-and-more', 'secret-1']]])(
    'masks the longest secret in %j',
    (secrets) => {
      expect(maskQuotedSecrets('is secret-1-and-more here', secrets)).toBe('is ****** here')
    },
  )

  it.each(['list', 'object'])('masks everything that is nested too deeply in a %s', (shape) => {
    const nested = nest((value) => (shape === 'list' ? [value] : { value }))
    expect(JSON.stringify(maskQuotedSecrets(nested, 'secret-1'))).not.toContain('secret-1')
    expect(maskQuotedSecrets('x', nested)).toBe('x')
  })

  it('supports unpaired surrogates', () => {
    expect(maskQuotedSecrets('x', 'a long secret with \ud800 in it')).toBe('x')
  })
})
