import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/application/settings.ts'
import {
  deleteConnector,
  deleteOtherConnectorsOfType,
  findMessageConnector,
  getConnector,
  insertConnector,
  listConnectors,
  patchConnector,
  sealConfig,
} from '../../../src/storage/connectors/connectors.ts'
import { listDevMessages, storeDevMessage } from '../../../src/storage/connectors/dev-messages.ts'
import { createSeals } from '../../../src/storage/seal.ts'
import { connectors } from '../../../src/storage/tables.ts'
import { newTenant, TEST_NOW, testDatabases } from '../databases.ts'

const seals = createSeals('a root secret for this test, long enough')
const settings = { ...readSettings(env), environment: 'production' as const }

describe.each(testDatabases)('connectors on $name', ({ db }) => {
  let tenantId = ''
  beforeEach(async () => {
    tenantId = await newTenant(db)
  })

  async function install(factoryId: string, config: Record<string, unknown>, id: string) {
    const sealed = await sealConfig({ seals }, tenantId, id, config)
    const row = {
      id,
      connectorId: factoryId,
      config: sealed,
      metadata: {},
      syncProfile: false,
      createdAt: TEST_NOW,
    }
    await insertConnector(db, tenantId, row)
  }

  it('are sealed at rest and decrypted only for their tenant', async () => {
    await install('resend-email', { apiKey: 're_secret' }, 'mine')
    const [row] = await db.select().from(connectors).where(eq(connectors.tenantId, tenantId))
    expect(JSON.stringify(row)).not.toContain('re_secret')
    const opened = { id: 'mine', connectorId: 'resend-email', config: { apiKey: 're_secret' } }
    expect(await getConnector({ db, seals }, tenantId, 'mine')).toMatchObject(opened)
    expect(await listConnectors({ db, seals }, tenantId)).toMatchObject([opened])
    expect(await getConnector({ db, seals }, await newTenant(db), 'mine')).toBeNull()
  })

  it('cannot be decrypted in another row or with another root secret', async () => {
    await install('resend-email', { apiKey: 're_secret' }, 'mine')
    const other = createSeals('another root secret, long enough to be one')
    await expect(getConnector({ db, seals: other }, tenantId, 'mine')).rejects.toThrow("can't be decrypted")
    await db.update(connectors).set({ id: 'moved' }).where(eq(connectors.tenantId, tenantId))
    await expect(getConnector({ db, seals }, tenantId, 'moved')).rejects.toThrow("can't be decrypted")
  })

  it('replace connectors of the same type and keep those of other types', async () => {
    await install('resend-email', {}, 'old')
    await install('http-sms', {}, 'sms')
    await install('postmark-email', { serverToken: 'x' }, 'new')
    expect(
      await deleteOtherConnectorsOfType(db, tenantId, { id: 'new', type: 'Email', createdAt: TEST_NOW }),
    ).toEqual([{ id: 'old' }])
    const services = { db, seals, settings }
    expect(await findMessageConnector(services, tenantId, 'Email')).toEqual({
      id: 'new',
      factoryId: 'postmark-email',
      config: { serverToken: 'x' },
    })
    expect(await findMessageConnector(services, tenantId, 'Sms')).toMatchObject({ id: 'sms' })
  })

  it('fall back to the inbox, but only in development', async () => {
    expect(await findMessageConnector({ db, seals, settings }, tenantId, 'Sms')).toBeNull()
    const development = { ...settings, environment: 'development' as const }
    expect(await findMessageConnector({ db, seals, settings: development }, tenantId, 'Sms')).toEqual({
      id: 'dev-inbox',
      factoryId: 'dev-inbox',
      config: {},
    })
  })

  it('can be changed and deleted', async () => {
    await install('resend-email', { apiKey: 'one' }, 'mine')
    const config = await sealConfig({ seals }, tenantId, 'mine', { apiKey: 'two' })
    await patchConnector(db, tenantId, 'mine', { config })
    expect(await getConnector({ db, seals }, tenantId, 'mine')).toMatchObject({ config: { apiKey: 'two' } })
    expect(await deleteConnector(db, tenantId, 'mine')).toHaveLength(1)
    expect(await deleteConnector(db, tenantId, 'mine')).toEqual([])
  })

  it('keep the newest 200 messages in the inbox', async () => {
    const message = {
      channel: 'sms',
      type: 'SignIn',
      code: '1',
      language: 'en',
      subject: null,
      body: '',
      html: null,
    } as const
    for (let sent = 0; sent < 203; sent++) {
      await storeDevMessage(db, tenantId, { ...message, to: String(sent), createdAt: TEST_NOW + sent })
    }
    const messages = await listDevMessages(db, tenantId)
    expect(messages.map(({ to }) => to)).toEqual(
      Array.from({ length: 200 }, (_, index) => String(202 - index)),
    )
    expect(await listDevMessages(db, tenantId, '100')).toEqual([
      { ...message, id: expect.any(String), to: '100', createdAt: TEST_NOW + 100 },
    ])
  })
})
