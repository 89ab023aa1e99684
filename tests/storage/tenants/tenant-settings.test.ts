import { describe, expect, it } from 'vitest'
import { TenantSettingsPatch } from '../../../src/contract/tenants/settings.schema.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../../src/contract/tenants/settings.ts'
import { createSeals } from '../../../src/storage/seal.ts'
import { mergeConfig, readConfig } from '../../../src/storage/tenants/configs.ts'
import {
  changeSettings,
  readTenantSettings,
  type SettingsPatch,
  sealSettings,
  unsealSettings,
} from '../../../src/storage/tenants/settings.ts'
import { newTenant, testDatabases } from '../databases.ts'

const seals = createSeals('a root secret for tests, long enough to be one')
const s3 = {
  provider: 'S3Storage',
  endpoint: 'https://s3.example',
  bucket: 'uploads',
  accessKeyId: 'id',
  accessSecretKey: 'very secret',
} as const

describe.each(testDatabases)('tenant settings on $name', ({ db }) => {
  const patch = async (tenantId: string, changes: SettingsPatch) => {
    const [row] = await changeSettings(db, tenantId, await sealSettings(seals, tenantId, changes))
    return unsealSettings(seals, tenantId, row?.value ?? null)
  }

  it('have defaults and are changed one by one', async () => {
    const tenantId = await newTenant(db)
    expect(await readTenantSettings(db, seals, tenantId)).toEqual(DEFAULT_TENANT_SETTINGS)

    await patch(tenantId, { accountExistence: 'hidden', changePasswordUrl: 'https://a.example' })
    const limits = { ...DEFAULT_TENANT_SETTINGS.limits, lockSeconds: 60 }
    expect(await patch(tenantId, { limits, changePasswordUrl: null })).toEqual({
      ...DEFAULT_TENANT_SETTINGS,
      accountExistence: 'hidden',
      limits,
    })
    expect(await readTenantSettings(db, seals, await newTenant(db))).toEqual(DEFAULT_TENANT_SETTINGS)
  })

  it('keep a second-factor policy that was stored before browsers could be remembered', async () => {
    const stored = { secondFactor: { policy: 'required' } }
    expect((await unsealSettings(seals, 'any', stored)).secondFactor).toMatchObject({
      policy: 'required',
      rememberDays: 30,
    })
    for (const rememberDays of [-1, 0.5, 366])
      expect(TenantSettingsPatch.safeParse({ secondFactor: { policy: 'off', rememberDays } }).success).toBe(
        false,
      )
  })

  it('keep the known kinds of second factors beside kinds from a newer version', async () => {
    const factorsOf = async (factors: unknown) =>
      (await unsealSettings(seals, 'any', { secondFactor: { policy: 'required', factors } })).secondFactor
        .factors
    expect(await factorsOf(['fax', 'email'])).toEqual(['email'])
    expect(await factorsOf(['fax'])).toEqual(DEFAULT_TENANT_SETTINGS.secondFactor.factors)
    expect(await factorsOf('email')).toEqual(DEFAULT_TENANT_SETTINGS.secondFactor.factors)
  })

  it('make unlisted fields editable, but turn off fields that this version cannot read', async () => {
    const accountCentreOf = async (accountCentre: unknown) =>
      (await unsealSettings(seals, 'any', { accountCentre })).accountCentre
    const all = DEFAULT_TENANT_SETTINGS.accountCentre.fields
    expect(await accountCentreOf({ enabled: true })).toEqual({
      enabled: true,
      deletionGraceDays: 14,
      fields: all,
      customFields: [],
    })
    const stored = { enabled: true, fields: { email: 'off', name: 'ask', later: 'off' } }
    expect(await accountCentreOf(stored)).toMatchObject({
      fields: { ...all, email: 'off', name: 'readOnly' },
    })
    const later = { key: 'level', type: 'scale', label: { en: 'Level' }, access: 'edit' }
    const customFields = [later, { type: 'text' }, { key: 'team', type: 'text', label: { en: 'Team' } }]
    expect((await accountCentreOf({ enabled: true, customFields })).customFields).toMatchObject([
      { key: 'level', access: 'off' },
      { key: 'team', access: 'edit', required: false },
    ])
    // If the value cannot be read, the longest grace period applies, so that no account is deleted too soon.
    expect((await accountCentreOf({ enabled: true, deletionGraceDays: 'soon' })).deletionGraceDays).toBe(90)
    for (const fields of [{ email: 'hidden' }, { mail: 'off' }])
      expect(TenantSettingsPatch.safeParse({ accountCentre: { enabled: true, fields } }).success).toBe(false)
  })

  it('keep both of two concurrent changes, and are not changed by an empty patch', async () => {
    const tenantId = await newTenant(db)
    await Promise.all([
      patch(tenantId, { allowPrivateTargets: true }),
      patch(tenantId, { previewOrigins: ['https://a.example'] }),
    ])
    expect(await patch(tenantId, {})).toEqual({
      ...DEFAULT_TENANT_SETTINGS,
      allowPrivateTargets: true,
      previewOrigins: ['https://a.example'],
    })
  })

  it('keep the storage provider’s secret sealed, and replace a provider as a whole', async () => {
    const tenantId = await newTenant(db)
    expect((await patch(tenantId, { storageProvider: s3 })).storageProvider).toEqual(s3)
    expect(JSON.stringify(await readConfig(db, tenantId, 'settings'))).not.toMatch(/very secret|uploads/)

    const azure = { provider: 'AzureStorage', connectionString: 'c', container: 'd' } as const
    expect((await patch(tenantId, { storageProvider: azure })).storageProvider).toEqual(azure)
    expect((await patch(tenantId, { storageProvider: null })).storageProvider).toBeNull()
  })

  it('keep settings from another version, and use defaults for those that this version cannot read', async () => {
    const tenantId = await newTenant(db)
    await mergeConfig(db, tenantId, 'settings', {
      accountExistence: 'half',
      limits: { lockSeconds: 'long' },
      storageProvider: { sealed: 'broken' },
      allowPrivateTargets: true,
      future: 1,
    })
    expect(await patch(tenantId, { demoSocial: [] })).toEqual({
      ...DEFAULT_TENANT_SETTINGS,
      allowPrivateTargets: true,
    })
    expect(await readConfig(db, tenantId, 'settings')).toMatchObject({ future: 1, accountExistence: 'half' })
  })
})

describe('a settings patch', () => {
  it.each([
    { accountExistence: 'sometimes' },
    { limits: { lockSeconds: 0 } },
    { limits: { passwordTries: { count: 0, windowSeconds: 60 } } },
    { previewOrigins: ['https://a.example/path'] },
    { sessionNotFoundRedirectUrl: 'javascript:alert(1)' },
    { storageProvider: { provider: 'S3Storage', bucket: 'b' } },
    { demoSocial: [{ provider: 'myspace', name: 'M', logo: 'https://a.example', clientId: 'x' }] },
  ])('rejects %o', (patch) => {
    expect(TenantSettingsPatch.safeParse(patch).success).toBe(false)
  })

  it('fills in defaults in an object, and clears a setting whose value is an empty string', () => {
    expect(TenantSettingsPatch.parse({ limits: { lockSeconds: 60 }, changePasswordUrl: '' })).toEqual({
      limits: { ...DEFAULT_TENANT_SETTINGS.limits, lockSeconds: 60 },
      changePasswordUrl: null,
    })
  })
})
