import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../../src/contract/tenants/settings.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})
beforeEach(() => app.env.DB.prepare("delete from configs where key = 'settings'").run())

const get = async (path = 'settings') => (await operator.get(`/configs/${path}`)).json()
const patch = (body: unknown, path = 'settings') => operator.send('PATCH', `/configs/${path}`, body)
const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]
const stored = () =>
  app.env.DB.prepare("select value from configs where key = 'settings'").first<string>('value')

describe('tenant settings', () => {
  it('have defaults and can be changed one by one', async () => {
    expect(await get()).toEqual(DEFAULT_TENANT_SETTINGS)
    expect(await (await patch({})).json()).toEqual(DEFAULT_TENANT_SETTINGS)

    const changes = {
      accountExistence: 'hidden',
      previewOrigins: ['https://console.example'],
      allowPrivateTargets: true,
      changePasswordUrl: 'https://app.example/password',
    }
    const changed = await patch(changes)
    expect(changed.status).toBe(200)
    expect(await changed.json()).toEqual({ ...DEFAULT_TENANT_SETTINGS, ...changes })
    await patch({ previewOrigins: [] })
    expect(await get()).toEqual({ ...DEFAULT_TENANT_SETTINGS, ...changes, previewOrigins: [] })
    await patch({ changePasswordUrl: '' })
    expect(await get()).toMatchObject({ changePasswordUrl: null, accountExistence: 'hidden' })
  })

  it('keep the changes from both of two concurrent calls', async () => {
    await Promise.all([patch({ accountExistence: 'hidden' }), patch({ allowPrivateTargets: true })])
    expect(await get()).toMatchObject({ accountExistence: 'hidden', allowPrivateTargets: true })
  })

  it.each([
    {
      provider: 'S3Storage',
      endpoint: 'https://s3.example',
      bucket: 'files',
      accessKeyId: 'key',
      secret: { accessSecretKey: 'very-secret-key' },
    },
    {
      provider: 'AzureStorage',
      container: 'files',
      secret: { connectionString: 'AccountName=store;AccountKey=very/secret/key=' },
    },
  ])('are returned without the secret of $provider', async ({ secret, ...visible }) => {
    const changed = await patch({ storageProvider: { ...visible, ...secret } })
    expect(await changed.json()).toMatchObject({ storageProvider: visible })
    const settings = await get()
    expect(settings).toMatchObject({ storageProvider: visible })
    expect(JSON.stringify(settings)).not.toMatch(/very.secret/)
    expect(await stored()).toContain('sealed')
    expect(await stored()).not.toMatch(/very.secret/)
    const { results } = await app.env.DB.prepare('select payload from logs').all()
    expect(JSON.stringify(results)).not.toMatch(/very.secret/)

    await patch({ storageProvider: null })
    expect(await get()).toMatchObject({ storageProvider: null })
  })

  it.each([
    { accountExistence: 'secret' },
    { previewOrigins: ['https://console.example/path'] },
    { allowPrivateTargets: 'yes' },
    { sessionNotFoundRedirectUrl: 'javascript:alert(1)' },
    { storageProvider: { provider: 'S3Storage' } },
    { limits: { passwordTries: { count: 0, windowSeconds: 1 } } },
    { demoSocial: [{ provider: 'myspace' }] },
  ])('cannot be changed to %o', async (body) => {
    expect(await codeOf(await patch(body))).toEqual([400, 'guard.invalid_input'])
    expect(await get()).toEqual(DEFAULT_TENANT_SETTINGS)
  })

  it('write an audit entry for each change, with the values before and after it', async () => {
    await patch({ changePasswordUrl: 'https://app.example/where' })
    const payload = await app.env.DB.prepare(
      "select payload from logs where key = 'Management.Config.Update' order by rowid desc",
    ).first<string>('payload')
    expect(JSON.parse(payload ?? '')).toMatchObject({ configKey: 'settings', changed: ['changePasswordUrl'] })
    const change = { before: null, after: 'https://app.example/where' }
    expect(JSON.parse(payload ?? '').changes).toEqual({ changePasswordUrl: change })
  })
})

describe('the console’s checklist', () => {
  const steps = [
    'livePreviewChecked',
    'applicationCreated',
    'signInExperienceCustomized',
    'passwordlessConfigured',
    'communityChecked',
    'furtherReadingsChecked',
    'roleCreated',
    'm2mApplicationCreated',
  ]
  const initial = Object.fromEntries(steps.map((step) => [step, false]))

  it('starts with no completed steps and can be changed step by step', async () => {
    expect(await get('admin-console')).toEqual(initial)
    const ticked = await patch({ roleCreated: true }, 'admin-console')
    expect(await ticked.json()).toEqual({ ...initial, roleCreated: true })
    await Promise.all([
      patch({ communityChecked: true }, 'admin-console'),
      patch({ applicationCreated: true }, 'admin-console'),
    ])
    const done = { roleCreated: true, communityChecked: true, applicationCreated: true }
    expect(await get('admin-console')).toEqual({ ...initial, ...done })
    expect(await (await patch({}, 'admin-console')).json()).toEqual({ ...initial, ...done })
    await patch({ roleCreated: false, communityChecked: false, applicationCreated: false }, 'admin-console')
    expect(await get('admin-console')).toEqual(initial)
  })

  it('accepts only booleans', async () => {
    expect(await codeOf(await patch({ roleCreated: 'yes' }, 'admin-console'))).toEqual([
      400,
      'guard.invalid_input',
    ])
  })
})

describe('the list of sections managed as code', () => {
  const body = { sections: ['hooks', 'phrases'], fingerprint: 'ab'.repeat(32) }
  const put = (record: unknown) => operator.send('PUT', '/configs/code', record)

  it('can be written, replaced and deleted, with an audit entry each time', async () => {
    const none = { sections: [], fingerprint: null, appliedAt: null }
    expect(await get('code')).toEqual(none)
    const before = Date.now()
    const recorded = await put(body)
    expect(await recorded.json()).toEqual({ ...body, appliedAt: expect.any(Number) })
    await put({ ...body, sections: ['settings'] })
    const { appliedAt, ...rest } = (await get('code')) as { appliedAt: number }
    expect(rest).toEqual({ ...body, sections: ['settings'] })
    expect(appliedAt).toBeGreaterThanOrEqual(before)

    expect((await operator.send('DELETE', '/configs/code')).status).toBe(204)
    expect(await get('code')).toEqual(none)
    expect(await codeOf(await operator.send('DELETE', '/configs/code'))).toEqual([404, 'entity.not_found'])
    const { results } = await app.env.DB.prepare(
      "select key from logs where payload ->> 'configKey' = 'managedByCode' order by rowid",
    ).all()
    expect(results.map(({ key }) => key)).toEqual([
      'Management.Config.Update',
      'Management.Config.Update',
      'Management.Config.Delete',
    ])
  })

  it('is returned without unknown sections if a newer version wrote it', async () => {
    const store = (value: unknown) =>
      app.env.DB.prepare("insert or replace into configs (tenant_id, key, value) values ('default', ?, ?)")
        .bind('managedByCode', JSON.stringify(value))
        .run()
    await store({ ...body, sections: ['hooks', 'themes'], appliedAt: 1, more: true })
    expect(await get('code')).toEqual({ ...body, sections: ['hooks'], appliedAt: 1 })
    await store({ ...body, fingerprint: 'of another kind', appliedAt: 1 })
    expect(await get('code')).toMatchObject({ sections: [], fingerprint: null })
  })

  it.each([
    { ...body, sections: [] },
    { ...body, sections: ['users'] },
    { ...body, fingerprint: 'AB'.repeat(32) },
    { ...body, appliedAt: 1 },
  ])('cannot be set to %o', async (record) => {
    expect(await codeOf(await put(record))).toEqual([400, 'guard.invalid_input'])
  })
})
