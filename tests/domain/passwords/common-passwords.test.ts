import { describe, expect, it } from 'vitest'
import list from '../../../build/common-passwords.json' with { type: 'json' }
import { stripDecoration } from '../../../src/domain/passwords/common-passwords.ts'

const common = new Set(list.map(stripDecoration))

describe('a common password', () => {
  it.each([
    'password',
    'Password1!',
    'PASSWORD2026',
    'password123456!?',
    'Sunshine_1',
    'Dragon2026!',
    'Michael.1990',
    '12345678',
    '12345678!',
    'Abcd1234!',
    '1Qaz2wsx#',
    'Trustno1!!',
  ])('[ASVS-6.2.4] is recognized despite common variations: %s', (password) => {
    expect(common.has(stripDecoration(password))).toBe(true)
  })

  it.each([
    'another-horse-8',
    'correct horse battery 9',
    'dragonfly-lamp-22',
    'password-of-my-cat',
    'cats2026!',
    'ab1!ab1!ab',
    '!?!?!?!?',
    'Żółta-gęś-7',
  ])('is not recognized within a longer password: %s', (password) => {
    expect(common.has(stripDecoration(password))).toBe(false)
  })
})
