import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { BACKUP_CODE_COUNT } from '../../../src/domain/factors/backup-codes.ts'
import { fromBase32, TOTP_SECRET_BYTES, totpStep } from '../../../src/domain/factors/totp.ts'
import { sendBatch } from '../../../src/storage/batches.ts'
import { ALWAYS_TRUE } from '../../../src/storage/conditions.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  acceptTotpStep,
  backupCodeCountQuery,
  consumeBackupCode,
  createBackupCodes,
  digestBackupCode,
  enrolledFactorsQuery,
  insertTotpIf,
  replaceBackupCodesIf,
  totpLabel,
  totpQuery,
} from '../../../src/storage/factors/factors.ts'
import { rolePoliciesQuery } from '../../../src/storage/factors/second-factor-policies.ts'
import {
  computeTotpCode,
  findMatchingTotpStep,
  generateTotpSecret,
} from '../../../src/storage/factors/totp.ts'
import { passkeyOwnersQuery } from '../../../src/storage/passkeys/passkey-offers.ts'
import { resealSecrets } from '../../../src/storage/reseal.ts'
import { createSeals } from '../../../src/storage/seal.ts'
import { backupCodes, passkeys, totpFactors } from '../../../src/storage/tables.ts'
import { deleteSomeRows } from '../../../src/storage/tenants/tenant-deletion.ts'
import { removeUser } from '../../../src/storage/users/users.ts'
import { newTenant, newUser, seals, TEST_NOW, testDatabases } from '../databases.ts'

const RACERS = 20

describe('a one-time code', () => {
  // The test vectors of RFC 6238 appendix B for SHA-1, with eight digits.
  const rfc = new TextEncoder().encode('12345678901234567890')
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('has the value from RFC 6238 at %i s: %s', async (seconds, code) => {
    const step = totpStep(seconds * 1000)
    expect(await computeTotpCode(rfc, step, 8)).toBe(code)
    expect(await computeTotpCode(rfc, step)).toBe(code.slice(2))
  })

  it('is accepted at most one step early or late', async () => {
    const secret = generateTotpSecret()
    const bytes = fromBase32(secret) ?? new Uint8Array()
    const present = totpStep(TEST_NOW)
    const steps = await Promise.all(
      [-2, -1, 0, 1, 2].map(async (offset) =>
        findMatchingTotpStep(secret, await computeTotpCode(bytes, present + offset), TEST_NOW),
      ),
    )
    expect(steps).toEqual([null, present - 1, present, present + 1, null])
  })

  it('has a secret of 160 random bits', () => {
    const secrets = Array.from({ length: 100 }, generateTotpSecret)
    expect(new Set(secrets).size).toBe(100)
    expect(secrets.every((secret) => fromBase32(secret)?.length === TOTP_SECRET_BYTES)).toBe(true)
    expect(TOTP_SECRET_BYTES * 8).toBe(160)
  })
})

async function newHolder(db: Database) {
  const tenantId = await newTenant(db)
  const { id: userId } = await newUser(db, tenantId)
  const owner = { tenantId, userId }
  const secret = await seals.seal(totpLabel(tenantId, userId), generateTotpSecret())
  await insertTotpIf(db, owner, ALWAYS_TRUE, { secret, step: 5, now: TEST_NOW })
  const backup = await createBackupCodes(seals, tenantId)
  await sendBatch(
    db,
    replaceBackupCodesIf(db, owner, ALWAYS_TRUE, { digests: backup.digests, now: TEST_NOW }),
  )
  return { owner, secret, codes: backup.codes }
}

describe.each(testDatabases)('factors on $name', ({ db }) => {
  it('accept a code only once in twenty concurrent attempts, and no code from an earlier time step', async () => {
    const { owner, secret } = await newHolder(db)
    const accept = async (step: number) =>
      (await acceptTotpStep(db, owner, { secret, step, now: TEST_NOW })).length
    expect(await accept(5)).toBe(0)
    const tries = await Promise.all(Array.from({ length: RACERS }, () => accept(6)))
    expect(tries.filter((count) => count === 1)).toHaveLength(1)
    expect([await accept(4), await accept(6), await accept(7)]).toEqual([0, 0, 1])
    expect(await totpQuery(db, owner)).toMatchObject([{ lastStep: 7, lastUsedAt: TEST_NOW }])
  })

  it('reject a code that was compared with a previous secret', async () => {
    const { owner } = await newHolder(db)
    expect(await acceptTotpStep(db, owner, { secret: 'another', step: 9, now: TEST_NOW })).toEqual([])
  })

  it('do not replace an existing authenticator app', async () => {
    const { owner, secret } = await newHolder(db)
    await insertTotpIf(db, owner, ALWAYS_TRUE, { secret: 'another', step: 9, now: TEST_NOW })
    expect(await totpQuery(db, owner)).toMatchObject([{ secret, lastStep: 5 }])
  })

  it('accept each backup code once in twenty concurrent attempts', async () => {
    const { owner, codes } = await newHolder(db)
    expect(new Set(codes).size).toBe(BACKUP_CODE_COUNT)
    const [first = '', second = ''] = codes
    const digests = await digestBackupCode(seals, owner.tenantId, first.toLowerCase())
    const tries = await Promise.all(
      Array.from({ length: RACERS }, async () => (await consumeBackupCode(db, owner, digests)).length),
    )
    expect(tries.filter((count) => count === 1)).toHaveLength(1)
    expect(await backupCodeCountQuery(db, owner)).toEqual([{ left: BACKUP_CODE_COUNT - 1 }])

    const stranger = await newHolder(db)
    const others = await digestBackupCode(seals, stranger.owner.tenantId, second)
    expect(await consumeBackupCode(db, stranger.owner, others)).toEqual([])
    expect(await digestBackupCode(seals, owner.tenantId, 'no code')).toEqual([])
  })

  it('have backup codes that are all replaced at once', async () => {
    const { owner, codes } = await newHolder(db)
    const replacement = await createBackupCodes(seals, owner.tenantId)
    await sendBatch(
      db,
      replaceBackupCodesIf(db, owner, ALWAYS_TRUE, { digests: replacement.digests, now: TEST_NOW }),
    )
    const use = async (code = '') =>
      (await consumeBackupCode(db, owner, await digestBackupCode(seals, owner.tenantId, code))).length
    expect([await use(codes[0]), await use(replacement.codes[0])]).toEqual([0, 1])
  })

  it('store codes and secrets only in unreadable form', async () => {
    const { owner, codes } = await newHolder(db)
    const stored = JSON.stringify([
      await db.select().from(totpFactors).where(eq(totpFactors.tenantId, owner.tenantId)),
      await db.select().from(backupCodes).where(eq(backupCodes.tenantId, owner.tenantId)),
    ])
    const [{ secret = '' } = {}] = await totpQuery(db, owner)
    const opened = await seals.open(totpLabel(owner.tenantId, owner.userId), secret)
    expect(opened).toMatch(/^[A-Z2-7]{32}$/)
    expect(stored).not.toContain(opened)
    expect(
      codes.filter((code) => stored.includes(code) || stored.includes(code.replaceAll('-', ''))),
    ).toEqual([])
    expect(await seals.open(totpLabel(owner.tenantId, 'another'), secret)).toBeNull()
  })

  it('are counted only for the accounts that are looked up', async () => {
    const { owner } = await newHolder(db)
    const { id } = await newUser(db, owner.tenantId, { username: 'without' })
    await db.insert(passkeys).values({
      ...owner,
      credentialId: 'key',
      publicKey: 'k',
      counter: 0,
      transports: [],
      aaguid: '',
      rpId: 'localhost',
      isBackupEligible: false,
      isBackedUp: false,
      createdAt: TEST_NOW,
    })
    const stranger = await newHolder(db)
    const holdings = await enrolledFactorsQuery(db, owner.tenantId, [
      { by: 'id', value: owner.userId },
      { by: 'username', value: 'without' },
      { by: 'id', value: stranger.owner.userId },
    ])
    const none = { totp: false, backupCodes: 0, passkeys: 0, deferrals: 0 }
    expect(new Map(holdings.map(({ userId, ...rest }) => [userId, rest]))).toEqual(
      new Map([
        [owner.userId, { totp: true, backupCodes: BACKUP_CODE_COUNT, passkeys: 1, deferrals: 0 }],
        [id, none],
      ]),
    )
  })

  it('are not counted without a lookup', async () => {
    const { owner } = await newHolder(db)
    expect(await enrolledFactorsQuery(db, owner.tenantId, [])).toEqual([])
    expect(await rolePoliciesQuery(db, owner.tenantId, [])).toEqual([])
    expect(await passkeyOwnersQuery(db, owner.tenantId, [])).toEqual([])
  })

  it('are deleted with their user', async () => {
    const { owner } = await newHolder(db)
    await removeUser(db, owner.tenantId, owner.userId)
    expect(await totpQuery(db, owner)).toEqual([])
    expect(await backupCodeCountQuery(db, owner)).toEqual([{ left: 0 }])
  })

  it('are deleted with their tenant', async () => {
    const { owner } = await newHolder(db)
    await deleteSomeRows(db, owner.tenantId)
    expect(await totpQuery(db, owner)).toEqual([])
    expect(await backupCodeCountQuery(db, owner)).toEqual([{ left: 0 }])
  })

  it('are resealed under a new root secret, and backup codes are accepted under both secrets', async () => {
    const [OLD, NEW] = [
      'a root secret for storage tests, long enough',
      'the next root secret, also long enough',
    ]
    const { owner, codes } = await newHolder(db)
    const both = createSeals(NEW, OLD)
    while (!(await resealSecrets(db, both)).isComplete);
    const [{ secret = '' } = {}] = await totpQuery(db, owner)
    expect(await createSeals(NEW).open(totpLabel(owner.tenantId, owner.userId), secret)).toMatch(
      /^[A-Z2-7]{32}$/,
    )
    const digests = await digestBackupCode(both, owner.tenantId, codes[0] ?? '')
    expect(await consumeBackupCode(db, owner, digests)).toHaveLength(1)
  })
})
