import { and, eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createAuditTrail } from '../../src/application/audit.ts'
import { callHook } from '../../src/application/hooks/call.ts'
import type { Settings } from '../../src/application/settings.ts'
import { exportUsers } from '../../src/application/users/export.ts'
import { applicationSecretLabel } from '../../src/storage/applications/application-secrets.ts'
import { getApplication } from '../../src/storage/applications/applications.ts'
import { createCache } from '../../src/storage/cache.ts'
import { unsealConnector } from '../../src/storage/connectors/connectors.ts'
import { type HookRow, unsealHook } from '../../src/storage/hooks/hooks.ts'
import { applications, configs, totpFactors } from '../../src/storage/tables.ts'
import { changeSettings, readTenantSettings } from '../../src/storage/tenants/settings.ts'
import { readSigningKeys } from '../../src/storage/tenants/signing-keys.ts'
import { newApplication, newTenant, newUser, seals, TEST_NOW, testDatabases } from './databases.ts'

const [{ db } = { db: null as never }] = testDatabases
const store = { db, seals, now: () => TEST_NOW }
const NEWER =
  /can't be decrypted: format 3 is newer than this version of Vestibule, which reads formats up to 2/
const OTHER_SECRET = /can't be decrypted: ROOT_SECRET has changed/

/** A rollback finds such values if the version before it has learned a new format (spec/storage#sealed-formats). */
describe.each([
  { sealed: '3later', problem: NEWER },
  { sealed: '2damaged', problem: OTHER_SECRET },
])('a value sealed as "$sealed"', ({ sealed, problem }) => {
  let tenantId = ''
  beforeAll(async () => {
    tenantId = await newTenant(db)
  })
  afterEach(() => vi.restoreAllMocks())

  /** Returns the messages of the failures that a call logs, and its result. */
  async function failuresOf<T>(call: () => Promise<T>): Promise<{ failures: string[]; result: T }> {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const result = await call()
    return { failures: log.mock.calls.map(([line]) => JSON.parse(String(line)).error.message), result }
  }

  it('makes signing keys say why they are unreadable, and is not replaced', async () => {
    const { version } = await readSigningKeys(store, tenantId)
    expect(version).not.toBe('')
    const value = { version: 'later', sealed }
    const ofKeys = and(eq(configs.tenantId, tenantId), eq(configs.key, 'oidc.privateKeys'))
    await db.update(configs).set({ value }).where(ofKeys)
    await expect(readSigningKeys(store, tenantId)).rejects.toThrow(problem)
    expect(await db.select().from(configs).where(ofKeys)).toMatchObject([{ value }])
  })

  it('makes the secret of an application say so', async () => {
    const { id } = await newApplication(db, tenantId)
    await db
      .update(applications)
      .set({ secret: '', sealedSecret: sealed })
      .where(and(eq(applications.tenantId, tenantId), eq(applications.id, id)))
    const application = await getApplication(store, tenantId, id)
    expect(application).toMatchObject({
      secret: '',
      secretProblem: { message: expect.stringMatching(problem) },
    })
  })

  it('makes the headers of a hook and the configuration of a connector say so', async () => {
    const config = { url: 'https://example.com', retries: 1, sealedHeaders: sealed }
    const hook = {
      tenantId,
      id: 'hook',
      createdAt: TEST_NOW,
      event: 'PostSignIn',
      events: ['PostSignIn'],
      config,
    } satisfies Parameters<typeof unsealHook>[1]
    await expect(unsealHook(seals, hook)).rejects.toThrow(problem)
    const connector = { tenantId, id: 'mail', connectorId: 'resend-email', config: { sealed }, metadata: {} }
    const row = { ...connector, syncProfile: false, createdAt: TEST_NOW }
    await expect(unsealConnector(seals, row)).rejects.toThrow(problem)
  })

  it('makes the deliveries of a hook say so, instead of asking for a new secret', async () => {
    const hook: HookRow = {
      ...{ tenantId, id: 'hook', createdAt: TEST_NOW, secret: sealed },
      ...{ event: 'PostSignIn', events: ['PostSignIn'], config: { url: 'https://example.com', retries: 0 } },
    }
    const report = await callHook(
      {
        ...store,
        settings: { environment: 'development' } as Settings,
        tenantSettings: createCache(() => readTenantSettings(db, seals, tenantId), store),
      },
      { fetch: () => Promise.reject(new Error('This hook must not be called')) },
      { hook, id: 'delivery', payload: {} },
    )
    expect(report).toEqual({ result: 'Error', error: expect.stringMatching(problem) })
  })

  it('makes the log name the storage provider, which no upload uses then', async () => {
    await changeSettings(db, tenantId, { storageProvider: { sealed } })
    const { failures, result } = await failuresOf(() => readTenantSettings(db, seals, tenantId))
    expect(result.storageProvider).toBeNull()
    expect(failures).toEqual([expect.stringMatching(problem)])
    expect(failures[0]).toContain(`The storage provider of tenant ${tenantId}`)
  })

  it('makes the log name the previous secret of an application', async () => {
    const { id } = await newApplication(db, tenantId, { id: 'rotated', secret: '' })
    await db
      .update(applications)
      .set({
        sealedSecret: await seals.seal(applicationSecretLabel(tenantId, id), 'the current one'),
        sealedPreviousSecret: sealed,
        previousSecretCreatedAt: TEST_NOW,
        previousSecretExpiresAt: TEST_NOW + 1,
      })
      .where(and(eq(applications.tenantId, tenantId), eq(applications.id, id)))
    const { failures, result } = await failuresOf(() => getApplication(store, tenantId, id))
    expect(result).toMatchObject({ secret: 'the current one', previousSecretValue: null })
    expect(failures).toEqual([expect.stringMatching(problem)])
    expect(failures[0]).toContain('The previous secret of application rotated')
  })

  it('makes the log name the authenticator secret of a user, which an export leaves out', async () => {
    const { id } = await newUser(db, tenantId)
    await db.insert(totpFactors).values({ tenantId, userId: id, secret: sealed, createdAt: TEST_NOW })
    const caller = { ip: undefined, userAgent: undefined }
    const secretsAudit = createAuditTrail(store, caller).begin('Management.User.Export')
    const { failures, result } = await failuresOf(() =>
      exportUsers(store, { tenantId, after: '', limit: 10, secretsAudit }),
    )
    expect(result.users).toMatchObject([{ id, totpSecret: null }])
    expect(failures).toEqual([expect.stringMatching(problem)])
    expect(failures[0]).toContain(`The authenticator secret of user ${id}`)
  })
})

/**
 * The purposes of all sealed values and digests. A new format may be written once the previous release reads it: add it
 * here together with the fixture of that release (tests/operations/releases).
 */
const FORMATS_OF_PREVIOUS_RELEASE = ['1', '2']
const purposes = [
  'account',
  'account-flow',
  'accounts',
  'address-undo',
  'administrator-invitation',
  'application-secret',
  'backup-code',
  'code',
  'connector',
  'hook-headers',
  'hook-secret',
  'interaction',
  'known',
  'passkey-conditional',
  'passkey-creation',
  'passkey-second-factor',
  'passkey-sign-in',
  'record',
  'security-key-creation',
  'settings',
  'sign-in-test',
  'sign-in-test-browser',
  'signing-keys',
  'social-return',
  'step',
  'totp',
  'totp-enrolment',
  'unwritten',
]

it.each(purposes)(
  'values and digests for "%s" have a format that the previous release reads',
  async (purpose) => {
    const label = `${purpose}/default` as const
    const written = [await seals.seal(label, 'value'), ...(await seals.digests(label, 'value'))]
    expect(written.filter(([format = '']) => !FORMATS_OF_PREVIOUS_RELEASE.includes(format))).toEqual([])
  },
)
