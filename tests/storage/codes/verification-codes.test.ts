import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { VerifiedAddress } from '../../../src/domain/codes/verification-codes.ts'
import {
  checkVerificationCode,
  VERIFICATION_CODE_LIFETIME,
} from '../../../src/domain/codes/verification-codes.ts'
import { createGenericCode, verifyGenericCode } from '../../../src/storage/codes/generic-codes.ts'
import {
  attemptVerificationCode,
  createVerificationCode,
  prepareVerificationCodeAttempt,
  randomVerificationCode,
  type VerificationCodeOwner,
} from '../../../src/storage/codes/verification-codes.ts'
import { passcodes } from '../../../src/storage/tables.ts'
import { newTenant, seals, TEST_NOW, testDatabases } from '../databases.ts'

const address: VerifiedAddress = { type: 'email', value: 'ann@example.com' }
const owner: VerificationCodeOwner = { uid: 'interaction-1', type: 'SignIn' }

describe('a random code', () => {
  it('[ASVS-6.4.1] has six digits, the first of which may be zero', () => {
    const codes = Array.from({ length: 2_000 }, randomVerificationCode)
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true)
    expect(new Set(codes.map(([first]) => first)).size).toBe(10)
    expect(new Set(codes).size).toBeGreaterThan(1_900)
  })
})

describe.each(testDatabases)('verification codes on $name', ({ db }) => {
  const attempt = async (
    tenantId: string,
    code: string,
    changes: Partial<{ owner: VerificationCodeOwner; address: VerifiedAddress; now: number }> = {},
  ) => {
    const details = { owner, address, now: TEST_NOW, ...changes, code }
    const [row] = await attemptVerificationCode(
      db,
      tenantId,
      await prepareVerificationCodeAttempt(seals, tenantId, details),
    )
    return checkVerificationCode(row, details.address, details.now)?.code ?? 'right'
  }
  const create = (
    tenantId: string,
    code: string,
    changes: Partial<{ owner: VerificationCodeOwner; now: number }> = {},
  ) => createVerificationCode({ db, seals }, tenantId, { owner, address, code, now: TEST_NOW, ...changes })
  const rows = (tenantId: string) => db.select().from(passcodes).where(eq(passcodes.tenantId, tenantId))

  it('can be used once and are then cleared', async () => {
    const tenantId = await newTenant(db)
    await create(tenantId, '123456')
    expect(await attempt(tenantId, '123456')).toBe('right')
    expect(await rows(tenantId)).toMatchObject([{ consumed: true, codeDigest: null, tryCount: 0 }])
    expect(await attempt(tenantId, '123456')).toBe('verification_code.not_found')
  })

  it('are cleared and become unusable after ten wrong attempts', async () => {
    const tenantId = await newTenant(db)
    await create(tenantId, '123456')
    for (let count = 1; count <= 10; count++) {
      expect(await attempt(tenantId, '000000')).toBe('verification_code.code_mismatch')
      const [row] = await rows(tenantId)
      expect([row?.tryCount, row?.codeDigest === null]).toEqual([count, count === 10])
    }
    for (let count = 0; count < 3; count++) {
      expect(await attempt(tenantId, '123456')).toBe('verification_code.exceed_max_try')
    }
    expect((await rows(tenantId)).at(0)?.consumed).toBe(false)
  })

  it('accept one of twenty concurrent correct attempts, and check only ten of twenty wrong ones', async () => {
    const tenantId = await newTenant(db)
    await create(tenantId, '123456')
    const wrong = await Promise.all(Array.from({ length: 20 }, () => attempt(tenantId, '000000')))
    expect(wrong.filter((outcome) => outcome === 'verification_code.code_mismatch').length).toBe(10)
    expect(wrong.filter((outcome) => outcome === 'verification_code.exceed_max_try').length).toBe(10)

    await create(tenantId, '123456')
    const right = await Promise.all(Array.from({ length: 20 }, () => attempt(tenantId, '123456')))
    expect(right.filter((outcome) => outcome === 'right').length).toBe(1)
    expect(right.filter((outcome) => outcome === 'verification_code.not_found').length).toBe(19)
  })

  it('[ASVS-6.4.1-2] expire after ten minutes and are then cleared by the next attempt', async () => {
    const tenantId = await newTenant(db)
    await create(tenantId, '123456')
    const now = TEST_NOW + VERIFICATION_CODE_LIFETIME
    expect(await attempt(tenantId, '123456', { now: now + 1 })).toBe('verification_code.expired')
    expect((await rows(tenantId)).at(0)).toMatchObject({ codeDigest: null, tryCount: 0, consumed: false })

    await create(tenantId, '123456')
    expect(await attempt(tenantId, '123456', { now })).toBe('right')
  })

  it('[ASVS-6.6.2] are bound to their tenant, interaction, event and address', async () => {
    const tenantId = await newTenant(db)
    await create(tenantId, '123456')
    const none = 'verification_code.not_found'
    expect(await attempt(await newTenant(db), '123456')).toBe(none)
    expect(await attempt(tenantId, '123456', { owner: { ...owner, uid: 'interaction-2' } })).toBe(none)
    expect(await attempt(tenantId, '123456', { owner: { ...owner, type: 'Register' } })).toBe(none)
    const mismatch = 'verification_code.email_mismatch'
    expect(await attempt(tenantId, '123456', { address: { type: 'email', value: 'b@c.d' } })).toBe(mismatch)
    const phone: VerifiedAddress = { type: 'phone', value: '1' }
    expect(await attempt(tenantId, '123456', { address: phone })).toBe('verification_code.phone_mismatch')
    expect((await rows(tenantId)).at(0)).toMatchObject({ tryCount: 0, consumed: false })
    expect(await attempt(tenantId, '123456')).toBe('right')
  })

  it('replace earlier codes, so only one of twenty concurrent codes remains', async () => {
    const tenantId = await newTenant(db)
    await create(tenantId, '111111')
    await attempt(tenantId, '000000')
    await create(tenantId, '222222')
    expect(await rows(tenantId)).toMatchObject([{ code: null, tryCount: 0 }])
    expect(await attempt(tenantId, '222222')).toBe('right')

    await Promise.all(Array.from({ length: 20 }, (_, index) => create(tenantId, String(300_000 + index))))
    await create(tenantId, '444444', { owner: { uid: 'interaction-2', type: 'SignIn' } })
    const unused = await db
      .select({ id: passcodes.id })
      .from(passcodes)
      .where(and(eq(passcodes.tenantId, tenantId), eq(passcodes.consumed, false)))
    expect(unused.length).toBe(2)
  })

  it('are bound only to their address if they are generic', async () => {
    const tenantId = await newTenant(db)
    const phone: VerifiedAddress = { type: 'phone', value: '4912345' }
    const make = async (to: VerifiedAddress) =>
      (await createGenericCode({ db, seals }, tenantId, to, TEST_NOW)) ?? 'none'
    const first = await make(phone)
    const other = await make({ type: 'email', value: 'a@b.c' })
    const second = await make(phone)
    const verify = async (recipient: VerifiedAddress, code: string) =>
      (await verifyGenericCode({ db, seals }, tenantId, { address: recipient, code, now: TEST_NOW }))?.code ??
      'right'

    if (first !== second) expect(await verify(phone, first)).toBe('verification_code.code_mismatch')
    expect(await verify({ type: 'phone', value: '4912346' }, second)).toBe('verification_code.not_found')
    expect(await verify(phone, second)).toBe('right')
    expect(await verify({ type: 'email', value: 'a@b.c' }, other)).toBe('right')
    expect((await rows(tenantId)).map(({ type, codeDigest }) => [type, codeDigest])).toEqual([
      ['Generic', null],
      ['Generic', null],
    ])
  })
})
