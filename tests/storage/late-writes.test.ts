import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { VerifiedAddress } from '../../src/domain/codes/verification-codes.ts'
import { createUnitOfWork } from '../../src/oidc/persistence/unit-of-work.ts'
import {
  hasNoNewerRoleChange,
  insertMissingLinks,
  removeOtherRoles,
} from '../../src/storage/access/role-links.ts'
import { insertRole } from '../../src/storage/access/role-list.ts'
import {
  attemptVerificationCode,
  createVerificationCode,
  prepareVerificationCodeAttempt,
} from '../../src/storage/codes/verification-codes.ts'
import { replaceVerification } from '../../src/storage/codes/verification-statuses.ts'
import { commitChange, notAudited } from '../../src/storage/commit.ts'
import { ALWAYS_TRUE } from '../../src/storage/conditions.ts'
import {
  deleteOtherConnectorsOfType,
  insertConnector,
  isNewestConnectorOfType,
} from '../../src/storage/connectors/connectors.ts'
import type { Database } from '../../src/storage/database.ts'
import { insertLogs } from '../../src/storage/logs.ts'
import { exemptFromRevocation } from '../../src/storage/sessions/sessions.ts'
import {
  connectors,
  oidcModelInstances as models,
  usersRoles,
  verificationStatuses,
} from '../../src/storage/tables.ts'
import { isUnrevoked } from '../../src/storage/users/users.ts'
import { changeUser, newTenant, newUser, seals, TEST_NOW, testDatabases } from './databases.ts'

/** The time at which the Worker sent a batch that the database executes late. */
const EARLIER = TEST_NOW - 6_000

describe.each(testDatabases)('a batch that $name executes late', ({ db }) => {
  const address: VerifiedAddress = { type: 'email', value: 'ann@example.com' }

  it.each([{ owner: { uid: 'interaction-1', type: 'Register' } as const }, { owner: { generic: address } }])(
    'does not replace a newer code, whether used or unused: $owner',
    async ({ owner }) => {
      const tenantId = await newTenant(db)
      const create = (code: string, now: number) =>
        createVerificationCode({ db, seals }, tenantId, { owner, address, code, now })
      const attempt = async (code: string) =>
        (
          await attemptVerificationCode(
            db,
            tenantId,
            await prepareVerificationCodeAttempt(seals, tenantId, { owner, address, code, now: TEST_NOW }),
          )
        )[0]?.consumed
      expect(await create('222222', TEST_NOW)).toBe(true)
      expect(await create('111111', EARLIER)).toBe(false)
      expect(await attempt('222222')).toBe(true)
      expect(await create('111111', EARLIER)).toBe(false)
      expect(await attempt('111111')).toBeUndefined()
    },
  )

  it('does not replace a newer verification, or restore one that a new password has invalidated', async () => {
    const tenantId = await newTenant(db)
    const user = await newUser(db, tenantId)
    const verify = (grantId: string, now: number) =>
      commitChange(db, {
        tenantId,
        audit: notAudited('a test'),
        statements: replaceVerification(
          db,
          { tenantId, userId: user.id, grantId },
          { now, condition: isUnrevoked(tenantId, user) },
        ),
      })
    const grants = async () =>
      (await db.select().from(verificationStatuses).where(eq(verificationStatuses.tenantId, tenantId))).map(
        ({ grantId }) => grantId,
      )

    await verify('newer', TEST_NOW)
    await verify('older', EARLIER)
    expect(await grants()).toEqual(['newer'])

    await db.delete(verificationStatuses).where(eq(verificationStatuses.tenantId, tenantId))
    await changeUser(db, tenantId, user.id, { revokedAt: TEST_NOW })
    await verify('older', EARLIER)
    expect(await grants()).toEqual([])
  })

  it('does not replace a newer connector', async () => {
    const tenantId = await newTenant(db)
    const install = (id: string, createdAt: number) => {
      const replacement = { id, type: 'Email' as const, createdAt }
      const condition = isNewestConnectorOfType(tenantId, replacement)
      const row = { id, connectorId: 'resend-email', config: { sealed: '' }, metadata: {} }
      return commitChange(db, {
        tenantId,
        condition,
        audit: notAudited('a test'),
        statements: {
          created: insertConnector(db, tenantId, { ...row, syncProfile: false, createdAt }, condition),
          replaced: deleteOtherConnectorsOfType(db, tenantId, replacement),
        },
      })
    }
    expect((await install('newer', TEST_NOW)).created).toHaveLength(1)
    expect((await install('older', EARLIER)).created).toEqual([])
    expect(
      await db.select({ id: connectors.id }).from(connectors).where(eq(connectors.tenantId, tenantId)),
    ).toEqual([{ id: 'newer' }])
    expect((await install('newest', TEST_NOW + 1)).replaced).toEqual([{ id: 'newer' }])
  })

  it('does not restore a role that has been removed since', async () => {
    const tenantId = await newTenant(db)
    const { id: userId } = await newUser(db, tenantId)
    await insertRole(db, tenantId, { id: 'admin', name: 'Admin', description: '' })
    const replace = async (roleIds: string[], createdAt: number) => {
      const condition = hasNoNewerRoleChange(tenantId, userId, createdAt)
      const key = 'Management.User.Update'
      await commitChange(db, {
        tenantId,
        condition,
        audit: { key, payload: { key, result: 'Success', userId, roleIds }, createdAt },
        statements: {
          removed: removeOtherRoles(db, tenantId, userId, roleIds, condition),
          links: insertMissingLinks(
            db,
            tenantId,
            'user',
            roleIds.map((roleId) => ({ roleId, memberId: userId })),
            condition,
          ),
        },
      })
    }
    const roles = async () =>
      (await db.select().from(usersRoles).where(eq(usersRoles.tenantId, tenantId))).length
    await replace(['admin'], TEST_NOW - 10_000)
    expect(await roles()).toBe(1)
    await replace([], TEST_NOW)
    await replace(['admin'], EARLIER)
    expect(await roles()).toBe(0)

    // Other changes to the user do not affect the comparison of roles.
    await logRename(db, tenantId, userId)
    await replace(['admin'], TEST_NOW + 1)
    expect(await roles()).toBe(1)
  })

  it('does not replace a session’s newer state, or restore a deleted grant', async () => {
    const tenantId = await newTenant(db)
    const insert = (modelName: string, id: string, expiresAt: number) =>
      db.insert(models).values({ tenantId, modelName, id, payload: { state: 'newer' }, expiresAt })
    const states = async () =>
      (
        await db
          .select()
          .from(models)
          .where(and(eq(models.tenantId, tenantId)))
      ).map(({ modelName, payload }) => [modelName, payload.state])
    await insert('Session', 's', EARLIER)
    await insert('Grant', 'g', TEST_NOW)

    const late = createUnitOfWork(db, tenantId, () => EARLIER)
    for (const [modelName, id] of [
      ['Session', 's'],
      ['Grant', 'g'],
    ] as const) {
      await late.read(modelName, id)
      late.write({ modelName, id, payload: { state: 'older' }, expiresAt: EARLIER })
    }
    await db.update(models).set({ expiresAt: TEST_NOW }).where(eq(models.tenantId, tenantId))
    await db.delete(models).where(and(eq(models.tenantId, tenantId), eq(models.modelName, 'Grant')))
    await late.commit()
    expect(await states()).toEqual([['Session', 'newer']])
  })

  it('keeps a session and its grant exempt from a revocation that was committed earlier', async () => {
    const tenantId = await newTenant(db)
    const { id: userId } = await newUser(db, tenantId)
    const row = { tenantId, expiresAt: TEST_NOW }
    const payload = { accountId: userId, loginTs: 7, iat: 7 }
    await db.insert(models).values([
      { ...row, modelName: 'Session', id: 's', payload: { ...payload, uid: 'u' } },
      { ...row, modelName: 'Grant', id: 'g', payload },
    ])
    const late = createUnitOfWork(db, tenantId, () => EARLIER)
    const key = { tenantId, userId, sessionId: 'u', grantId: 'g' }
    await late.read('Session', 's')
    await late.read('Grant', 'g')
    const exemption = { revokedAt: 9_000, before: null, condition: ALWAYS_TRUE }
    await commitChange(db, {
      tenantId,
      audit: notAudited('a test'),
      statements: exemptFromRevocation(db, key, exemption),
    })
    late.write({ modelName: 'Session', id: 's', payload: { ...payload, uid: 'u' }, expiresAt: TEST_NOW })
    late.write({ modelName: 'Grant', id: 'g', payload, expiresAt: TEST_NOW })
    await late.commit()
    const rows = await db
      .select({ payload: models.payload })
      .from(models)
      .where(eq(models.tenantId, tenantId))
    expect(rows.map(({ payload: stored }) => [stored.loginTs, stored.iat, stored.exemptedAt])).toEqual([
      [7, 7, 10],
      [7, 7, 10],
    ])
  })
})

function logRename(db: Database, tenantId: string, userId: string) {
  const key = 'Management.User.Update'
  return insertLogs(db, tenantId, [
    { key, payload: { key, result: 'Success', userId, changed: ['name'] }, createdAt: TEST_NOW + 5_000 },
  ])
}
