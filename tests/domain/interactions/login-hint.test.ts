import { describe, expect, it } from 'vitest'
import { parseLoginHint } from '../../../src/domain/interactions/login-hint.ts'

describe('a login_hint', () => {
  it.each([
    ['ann@example.com', { type: 'email', value: 'ann@example.com' }],
    [' ann@example.com ', { type: 'email', value: 'ann@example.com' }],
    ['+4915112345678', { type: 'phone', value: '4915112345678' }],
    ['ann_1', { type: 'username', value: 'ann_1' }],
  ])('is parsed from %s as %o', (hint, identifier) => {
    expect(parseLoginHint(hint)).toEqual(identifier)
  })

  it.each([
    ['nothing', ''],
    ['an invalid address', 'ann@'],
    ['a list of addresses', 'ann@example.com,ben@example.com'],
    ['a number without a country', '015112345678'],
    ['a number with letters', '+49abc'],
    ['markup', '"><script>'],
    ['a name that is too long', `a${'b'.repeat(128)}`],
  ])('is ignored if it is %s', (_what, hint) => {
    expect(parseLoginHint(hint)).toBeNull()
  })
})
