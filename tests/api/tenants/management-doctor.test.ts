import { env } from 'cloudflare:workers'
import type { KVNamespace } from '@cloudflare/workers-types'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { DoctorReport } from '../../../src/contract/tenants/doctor.schema.ts'
import { version } from '../../../src/contract/version.ts'
import { sendBatch } from '../../../src/storage/batches.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { expectedMigrations } from '../../../src/storage/migrations.ts'
import { seedStatements } from '../../../src/storage/tenants/seed.ts'
import { ORIGIN } from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

async function report(app: TestApp): Promise<z.infer<typeof DoctorReport>> {
  const response = await (await newOperator(app)).get('/configs/doctor')
  expect(response.status).toBe(200)
  return response.json()
}

/** Records migrations as `wrangler d1 migrations apply` does. */
async function recordMigrations(names: readonly string[]): Promise<void> {
  await env.DB.prepare(
    `create table d1_migrations(id integer primary key autoincrement, name text unique,
      applied_at timestamp default current_timestamp not null)`,
  ).run()
  for (const name of names)
    await env.DB.prepare('insert into d1_migrations (name) values (?)').bind(`${name}.sql`).run()
}

describe('the report for the doctor', () => {
  it('describes a healthy development server', async () => {
    await recordMigrations(expectedMigrations)
    const healthy = await report(openTestApp())
    expect(healthy).toEqual({
      version,
      environment: 'development',
      serverTime: expect.any(Number),
      hostsConfigured: 0,
      origins: [ORIGIN, 'http://default.localhost:8787'],
      consoleOrigin: null,
      logRetentionDays: 90,
      secrets: { ROOT_SECRET_PREVIOUS: false, MANAGEMENT_CLIENT_SECRET: true },
      bindings: { SEND_EMAIL: false, ASSET_BUCKET: true, RATE_LIMITS: true },
      database: {
        kind: 'D1',
        migrations: { expected: [...expectedMigrations], applied: [...expectedMigrations] },
        alterationState: null,
      },
      applications: { unsealedSecrets: 0, keySets: [] },
      clients: { unregistered: 'off', selfRegistered: 'off' },
      interactions: { isWritable: true },
      connectors: [],
      uploads: { problem: null },
      passwords: { rules: 'CharacterClasses', checksBreaches: true },
      passkeys: { relatedLabels: 0 },
      secondFactor: {
        policy: 'off',
        added: [],
        uncoveredAdministratorRoles: [
          '#internal:admin',
          '#internal:developer',
          '#internal:read-only',
          '#internal:support',
        ],
        factors: ['totp', 'passkey'],
        unavailable: ['passkey'],
        hasBackupCodes: false,
        sendsCodes: true,
        isPlaceKnown: false,
      },
      signIn: { hasWayIn: true, problem: null },
    })
    expect(Math.abs(healthy.serverTime - Date.now())).toBeLessThan(5_000)
  })

  it('names the version that the status names to everyone', async () => {
    const status = await openTestApp().fetch('/api/status')
    expect([status.status, status.headers.get('vestibule-version')]).toEqual([204, version])
  })

  it('states whether the deployment looks up breached passwords', async () => {
    const { passwords } = await report(openTestApp({ BREACHED_PASSWORDS_URL: 'off' }))
    expect(passwords).toEqual({ rules: 'CharacterClasses', checksBreaches: false })
  })

  it('lists the applied migrations, or null if the database has no record of them', async () => {
    await env.DB.prepare('drop table d1_migrations').run()
    expect((await report(openTestApp())).database.migrations.applied).toBeNull()
    await recordMigrations(expectedMigrations.slice(0, -1))
    expect((await report(openTestApp())).database.migrations.applied).toEqual(expectedMigrations.slice(0, -1))
  })

  it.each([
    { value: '{"timestamp":1,"updatedAt":2}', state: { timestamp: 1, updatedAt: 2 } },
    { value: '{"timestamp":1}', state: { timestamp: 1 } },
    { value: '{"timestamp":"tomorrow"}', state: 'unreadable' },
    { value: 'null', state: 'unreadable' },
    { value: '{"timestamp":', state: 'unreadable' },
  ])(
    'returns the alteration state ("timestamp, optional updatedAt") that is stored as $value',
    async ({ value, state }) => {
      await env.DB.prepare(
        `insert into configs (tenant_id, key, value) values ('default', 'alterationState', ?)`,
      )
        .bind(value)
        .run()
      expect((await report(openTestApp())).database.alterationState).toEqual(state)
      await env.DB.prepare(`delete from configs where key = 'alterationState'`).run()
    },
  )

  it('shows that writing to KV fails', async () => {
    const broken: KVNamespace = new Proxy(env.INTERACTIONS, {
      get: (kv, name) =>
        name === 'put' ? async () => Promise.reject(new Error('KV PUT failed: 429')) : Reflect.get(kv, name),
    })
    expect((await report(openTestApp({ INTERACTIONS: broken }))).interactions).toEqual({ isWritable: false })
  })

  it('lists problems with connectors but not their configuration', async () => {
    const app = openTestApp()
    const operator = await newOperator(app)
    const config = { apiKey: 'SG.secret', fromEmail: 'a@example.com' }
    await operator.send('POST', '/connectors', { id: 'mail', connectorId: 'sendgrid-email-service', config })
    expect((await report(app)).connectors).toEqual([
      { id: 'mail', connectorId: 'sendgrid-email-service', problem: null, lastFailure: null },
    ])

    await env.DB.prepare(`update connectors set config = json('{"sealed":"v1.nothing"}')`).run()
    const { connectors } = await report(app)
    expect(connectors[0]?.problem).toMatch(/can't be decrypted: ROOT_SECRET has changed/)

    // After a rollback, a newer version may have sealed it.
    await env.DB.prepare(`update connectors set config = json('{"sealed":"3nothing"}')`).run()
    expect((await report(app)).connectors[0]?.problem).toMatch(/format 3 is newer than this version/)

    await env.DB.prepare(`update connectors set connector_id = 'of-tomorrow'`).run()
    expect((await report(app)).connectors[0]?.problem).toMatch(/does not know/)
    await env.DB.prepare('delete from connectors').run()
  })

  it('lists each distinct second-factor policy of applications and roles once', async () => {
    const app = openTestApp()
    const operator = await newOperator(app)
    for (const [name, secondFactorPolicy] of [
      ['one', 'required'],
      ['two', 'required'],
      ['three', null],
    ]) {
      const role = { name, description: 'For a test', secondFactorPolicy }
      expect((await operator.send('POST', '/roles', role)).status).toBe(200)
    }
    const application = {
      name: 'shop',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: ['https://shop.example/back'], postLogoutRedirectUris: [] },
      secondFactorPolicy: 'optional',
    }
    expect((await operator.send('POST', '/applications', application)).status).toBe(200)
    expect((await report(app)).secondFactor).toMatchObject({ policy: 'off', added: ['optional', 'required'] })
  })

  it('names the administrator roles whose users need no second factor', async () => {
    const app = openTestApp()
    const operator = await newOperator(app)
    const { id } = (await (
      await operator.send('POST', '/roles', { name: 'helpers', description: '', scopeIds: ['users-read'] })
    ).json()) as { id: string }
    const uncovered = async () => (await report(openTestApp())).secondFactor.uncoveredAdministratorRoles
    const builtIn = ['#internal:admin', '#internal:developer', '#internal:read-only', '#internal:support']
    expect(await uncovered()).toEqual([...builtIn, 'helpers'])
    await operator.send('PATCH', '/roles/support-role', { secondFactorPolicy: 'required' })
    expect(await uncovered()).toEqual([...builtIn.slice(0, -1), 'helpers'])

    await setTenantSettings(app, { administratorsNeedSecondFactor: true })
    const { secondFactor } = await report(openTestApp())
    expect(secondFactor).toMatchObject({ uncoveredAdministratorRoles: [], policy: 'off' })
    expect(secondFactor.added).toContain('required')
    await setTenantSettings(app, { secondFactor: { policy: 'required' } })
    expect(await uncovered()).toEqual([])
    await setTenantSettings(app, {})
    await operator.send('PATCH', '/roles/support-role', { secondFactorPolicy: null })
    await operator.send('DELETE', `/roles/${id}`)
  })

  it('shows what unregistered and self-registered clients can access', async () => {
    const set = (settings: Parameters<typeof setTenantSettings>[1]) =>
      setTenantSettings(openTestApp(), settings)
    const open = { enabled: true, scopes: [], resources: null }
    await set({ unregisteredClients: open })
    expect((await report(openTestApp())).clients).toEqual({
      unregistered: 'unlimited',
      selfRegistered: 'off',
    })
    await set({
      unregisteredClients: { ...open, resources: [] },
      clientRegistration: { ...open, mostClients: 1, unusedDays: 1 },
    })
    expect((await report(openTestApp())).clients).toEqual({
      unregistered: 'limited',
      selfRegistered: 'unlimited',
    })
    await set({})
  })

  it('shows that the storage provider’s binding is missing', async () => {
    const operator = await newOperator(openTestApp())
    const storageProvider = { provider: 'R2', publicUrl: 'https://assets.example.com' }
    expect((await operator.send('PATCH', '/configs/settings', { storageProvider })).status).toBe(200)
    const { uploads } = await report(openTestApp({ ASSET_BUCKET: undefined }))
    expect(uploads.problem).toBe('storageProvider.provider needs the R2 binding ASSET_BUCKET')
    await operator.send('PATCH', '/configs/settings', { storageProvider: null })
  })

  it('shows that no user can sign in, and names the rule that the sign-in experience breaks', async () => {
    const app = openTestApp({ ENVIRONMENT: 'production' })
    const byCode = {
      identifier: 'email',
      password: false,
      verificationCode: true,
      isPasswordPrimary: false,
    } as const
    await setExperience(app, { methods: [byCode] })
    expect((await report(app)).signIn).toEqual({
      hasWayIn: false,
      problem: 'sign_in_experiences.enabled_connector_not_found',
    })
    const db = openD1(env.DB)
    await sendBatch(db, seedStatements(db, 'default', 0))
  })
})
