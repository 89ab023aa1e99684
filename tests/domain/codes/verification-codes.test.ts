import { describe, expect, it } from 'vitest'
import {
  type CheckedVerificationCode,
  checkVerificationCode,
  codeSentTime,
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

describe('an attempted code (spec/accounts#code-check)', () => {
  it.each([
    { what: 'was right', after: { consumed: true }, code: null },
    { what: 'was right after nine wrong attempts', after: { consumed: true, tryCount: 9 }, code: null },
    { what: 'was wrong', after: {}, code: 'code_mismatch' },
    { what: 'was wrong for the tenth time', after: { tryCount: 10 }, code: 'code_mismatch' },
    { what: 'was used up already', after: { tryCount: 11 }, code: 'exceed_max_try' },
    {
      what: 'is exactly at its end',
      after: { consumed: true, createdAt: NOW - VERIFICATION_CODE_LIFETIME },
      code: null,
    },
    { what: 'is too old', after: { createdAt: NOW - VERIFICATION_CODE_LIFETIME - 1 }, code: 'expired' },
    {
      what: 'is too old and used up',
      after: { createdAt: NOW - VERIFICATION_CODE_LIFETIME - 1, tryCount: 11 },
      code: 'expired',
    },
    {
      what: 'went to another address and is too old',
      after: { email: 'bob@example.com', createdAt: 0 },
      code: 'email_mismatch',
    },
    {
      what: 'went to the same address in another case',
      after: { email: 'Ann@example.com' },
      code: 'email_mismatch',
    },
    { what: 'went to a phone', after: { email: null, phone: '123' }, code: 'email_mismatch' },
  ])('that $what results in the error $code', ({ after, code }) => {
    expect(checkVerificationCode({ ...attempted, ...after }, address, NOW)?.code ?? null).toBe(
      code && `verification_code.${code}`,
    )
  })

  it('was sent when it was created, or long ago if it does not exist', () => {
    expect([codeSentTime(attempted), codeSentTime(undefined)]).toEqual([NOW - 1, 0])
  })

  it('is rejected if it does not exist or was sent to another phone', () => {
    expect(checkVerificationCode(undefined, address, NOW)?.code).toBe('verification_code.not_found')
    const phone = { type: 'phone', value: '123' } as const
    expect(checkVerificationCode({ ...attempted, email: null, phone: '124' }, phone, NOW)?.code).toBe(
      'verification_code.phone_mismatch',
    )
  })
})
