import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { getApplication } from '../../src/storage/applications/applications.ts'
import { unsealConnector } from '../../src/storage/connectors/connectors.ts'
import { unsealHook } from '../../src/storage/hooks/hooks.ts'
import { applications, configs } from '../../src/storage/tables.ts'
import { readSigningKeys } from '../../src/storage/tenants/signing-keys.ts'
import { newApplication, newTenant, seals, TEST_NOW, testDatabases } from './databases.ts'

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
