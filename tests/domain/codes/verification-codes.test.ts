import { describe, expect, it } from 'vitest'
import {
  type CheckedVerificationCode,
  checkVerificationCode,
  getCodeSentTime,
  VERIFICATION_CODE_LIFETIME,
} from '../../../src/domain/codes/verification-codes.ts'

const NOW = Date.UTC(2026, 10, 21)
const address = { type: 'email', value: 'ann@example.com' } as const
const attempted: CheckedVerificationCode = {
  email: address.value,
  phone: null,
  consumed: false,
  tryCount: 1,
  createdAt: NOW - 1,
}

describe('the check of a verification code (spec/accounts#code-check)', () => {
  it.each([
    { what: 'is correct', after: { consumed: true }, code: null },
    { what: 'is correct after nine wrong attempts', after: { consumed: true, tryCount: 9 }, code: null },
    { what: 'is wrong', after: {}, code: 'code_mismatch' },
    { what: 'is wrong for the tenth time', after: { tryCount: 10 }, code: 'code_mismatch' },
    { what: 'has already used up its attempts', after: { tryCount: 11 }, code: 'exceed_max_try' },
    {
      what: 'is at the very end of its lifetime',
      after: { consumed: true, createdAt: NOW - VERIFICATION_CODE_LIFETIME },
      code: null,
    },
    { what: 'has expired', after: { createdAt: NOW - VERIFICATION_CODE_LIFETIME - 1 }, code: 'expired' },
    {
      what: 'has expired and used up its attempts',
      after: { createdAt: NOW - VERIFICATION_CODE_LIFETIME - 1, tryCount: 11 },
      code: 'expired',
    },
    {
      what: 'was sent to another address and has expired',
      after: { email: 'bob@example.com', createdAt: 0 },
      code: 'email_mismatch',
    },
    {
      what: 'was sent to the same address in another case',
      after: { email: 'Ann@example.com' },
      code: 'email_mismatch',
    },
    { what: 'was sent to a phone', after: { email: null, phone: '123' }, code: 'email_mismatch' },
  ])('results in the error $code for a code that $what', ({ after, code }) => {
    expect(checkVerificationCode({ ...attempted, ...after }, address, NOW)?.code ?? null).toBe(
      code && `verification_code.${code}`,
    )
  })

  it('uses the code’s creation time as its sending time, or 0 if there is no code', () => {
    expect([getCodeSentTime(attempted), getCodeSentTime(undefined)]).toEqual([NOW - 1, 0])
  })

  it('rejects codes that do not exist or were sent to another phone', () => {
    expect(checkVerificationCode(undefined, address, NOW)?.code).toBe('verification_code.not_found')
    const phone = { type: 'phone', value: '123' } as const
    expect(checkVerificationCode({ ...attempted, email: null, phone: '124' }, phone, NOW)?.code).toBe(
      'verification_code.phone_mismatch',
    )
  })
})
