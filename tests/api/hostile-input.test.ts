import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { newReceiver } from '../kit/receiver.ts'
import { pairsOf } from '../kit/sweep.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { bucketSecrets } from '../outbound/provider-secrets.ts'

/** An app in production mode, which forbids private addresses. */
let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp({ ENVIRONMENT: 'production' })
  operator = await newOperator(app)
})

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]

describe('a URL or host from an operator', () => {
  /** A few forbidden URLs. `tests/domain/connectors/outbound-address.test.ts` tests all notations. */
  const forbiddenUrls = [
    'http://example.com/',
    'https://localhost./',
    'https://127.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f000001/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://example.com@10.0.0.1/',
    'https://metadata.google.internal/',
    'file:///etc/passwd',
    'gopher://example.com/',
  ]

  const s3 = (endpoint: string) => ({
    provider: 'S3Storage',
    endpoint,
    bucket: 'files',
    accessKeyId: bucketSecrets.accessKeyId,
    accessSecretKey: bucketSecrets.accessSecretKey,
  })
  const azure = (endpoint: string) => ({
    provider: 'AzureStorage',
    connectionString: `AccountName=${bucketSecrets.azureAccount};AccountKey=${bucketSecrets.azureKey};BlobEndpoint=${endpoint}`,
    container: 'files',
  })
  const settings: Record<string, (address: string) => Promise<Response>> = {
    'a new hook': (url) =>
      operator.send('POST', '/hooks', { event: 'PostSignIn', config: { url, retries: 0 } }),
    'a changed hook': async (url) => {
      const config = { url: 'https://hooks.example.com/', retries: 0 }
      const created = await operator.send('POST', '/hooks', { event: 'PostSignIn', config })
      const { id } = (await created.json()) as { id: string }
      return operator.send('PATCH', `/hooks/${id}`, { config: { url } })
    },
    'uploads to S3': (endpoint) =>
      operator.send('PATCH', '/configs/settings', { storageProvider: s3(endpoint) }),
    'uploads to Azure': (endpoint) =>
      operator.send('PATCH', '/configs/settings', { storageProvider: azure(endpoint) }),
    'a new connector': (endpoint) =>
      operator.send('POST', '/connectors', {
        connectorId: 'http-sms',
        config: { endpoint, authentication: 'None' },
      }),
    'a connector that is being tested': (endpoint) =>
      operator.send('POST', '/connectors/http-sms/test', {
        config: { endpoint, authentication: 'None' },
        phone: '4915112345678',
      }),
  }
  const errorCodes = ['guard.invalid_input', 'connector.invalid_config']

  it.each(
    pairsOf(env.TEST_SWEEP, forbiddenUrls, Object.keys(settings)).map(([url, setting]) => ({ url, setting })),
  )('[ASVS-1.3.6] cannot be private in $setting: $url', async ({ setting, url }) => {
    const response = await settings[setting]?.(url)
    const [status, code] = response ? await codeOf(response) : []
    expect(status).toBe(400)
    expect(errorCodes).toContain(code)
  })

  it.each(['127.0.0.1', 'localhost', '::1', '169.254.169.254', 'mail.internal', '2130706433'])(
    'cannot be private in an SMTP connector: %s',
    async (host) => {
      const response = await operator.send('POST', '/connectors', {
        connectorId: 'simple-mail-transfer-protocol',
        config: { host, port: 587, fromEmail: 'no-reply@example.com' },
      })
      expect(await codeOf(response)).toEqual([400, 'connector.invalid_config'])
    },
  )

  it('[ASVS-1.3.6-2] is checked again on every use, and redirects are never followed', async () => {
    const inner = await newReceiver({ status: 204 })
    const outer = await newReceiver({ status: 307, location: inner.url })
    await operator.send('PATCH', '/configs/settings', { allowPrivateTargets: true })
    const created = await operator.send('POST', '/hooks', {
      event: 'PostSignIn',
      config: { url: outer.url, retries: 0 },
    })
    const { id } = (await created.json()) as { id: string }
    const redirected = await (await operator.send('POST', `/hooks/${id}/test`)).json()
    expect(redirected).toMatchObject({ result: 'Error', response: { statusCode: 307 } })
    expect(await inner.received()).toEqual([])

    await operator.send('PATCH', '/configs/settings', { allowPrivateTargets: false })
    const blocked = await (await operator.send('POST', `/hooks/${id}/test`)).json()
    expect(blocked).toEqual({ result: 'Error', error: expect.stringContaining('must use https') })
    expect((await outer.received()).length).toBe(1)
  })
})

describe('a hook’s custom header', () => {
  it.each<{ what: string; headers: unknown }>([
    { what: 'a line break', headers: { 'x-a': 'b\r\nx-evil: 1' } },
    { what: 'a bare line feed', headers: { 'x-a': 'b\nc' } },
    { what: 'a bare carriage return', headers: { 'x-a': 'b\rc' } },
    { what: 'a line break in its name', headers: { 'x-a: b\r\nx-evil': '1' } },
    { what: 'a colon in its name', headers: { 'x-a:b': 'c' } },
    { what: 'a space in its name', headers: { 'x a': 'c' } },
    { what: 'no name', headers: { '': 'c' } },
    { what: 'a NUL character', headers: { 'x-a': 'b\0c' } },
    { what: 'characters that a header cannot contain', headers: { 'x-a': '\u010d\u010a' } },
    { what: 'a value that is not a string', headers: { 'x-a': { toString: 'b' } } },
    { what: 'a value that is too long', headers: { 'x-a': 'b'.repeat(3_000) } },
    { what: 'an array of headers', headers: ['x-a', 'b'] },
  ])('cannot be stored with $what', async ({ headers }) => {
    const config = { url: 'https://hooks.example.com/', retries: 0, headers }
    const response = await operator.send('POST', '/hooks', { event: 'PostSignIn', config })
    expect(await codeOf(response)).toEqual([400, 'guard.invalid_input'])
  })

  it('cannot override the signature, the host or the length', async () => {
    await operator.send('PATCH', '/configs/settings', { allowPrivateTargets: true })
    const receiver = await newReceiver({ status: 204 })
    const headers = {
      Host: 'evil.example',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      'WebHook-Signature': 'v1,forged',
      'webhook-id': 'forged',
      __proto__x: 'fine',
    }
    const created = await operator.send('POST', '/hooks', {
      event: 'PostSignIn',
      config: { url: receiver.url, retries: 0, headers },
    })
    const { id } = (await created.json()) as { id: string }
    expect(await (await operator.send('POST', `/hooks/${id}/test`)).json()).toMatchObject({
      result: 'Success',
    })
    const [received] = await receiver.received()
    expect(received?.headers).toMatchObject({ host: new URL(receiver.url).host, __proto__x: 'fine' })
    expect(JSON.stringify(received?.headers)).not.toContain('forged')
    await operator.send('PATCH', '/configs/settings', { allowPrivateTargets: false })
  })
})

describe('a search', () => {
  const lists = ['/users', '/roles', '/resources/management-api/scopes', '/users/unknown/roles']
  const invalidQueries = [
    ['a regular expression', 'search=(a%2B)%2B%24&mode=posix'],
    ['a regular expression in one field', 'search.name=%5E(a%7Caa)%2B%24&mode.name=posix'],
    ['SIMILAR TO', 'search=(a|b)*&mode=similar_to&isCaseSensitive=true'],
    ['an unknown mode', 'search=a&mode=regexp'],
    ['a field that is not searchable', 'search.passwordEncrypted=%25'],
    ['SQL as a field name', 'search.name%22%20or%201%3D1%20--=a'],
    ['a field of another table', 'search.users.name=a'],
    ['an empty text', 'search='],
    ['a NUL character', 'search.name=a%00b'],
    ['many wildcards and little else', `search.name=${'%25_'.repeat(40)}a`],
    ['more than fifty bytes of pattern', `search.name=%25${'%E4%BD%A0'.repeat(20)}%25x_`],
    ['two values', 'search.name=a&search.name=b'],
    ['an unknown joint', 'search=abc&joint=union'],
  ] as const

  it.each(
    pairsOf(env.TEST_SWEEP, invalidQueries, lists).map(([[what, query], path]) => ({ path, what, query })),
  )('[ASVS-1.2.9] is rejected in $path if it has $what', async ({ path, query }) => {
    const fitting = path === '/users' || path === '/roles' ? query : query.replaceAll('.name', '.id')
    expect(await codeOf(await operator.get(`${path}?${fitting}`))).toEqual([400, 'request.invalid_input'])
  })

  it.each(['%25ab', '%25a%25', '_a', '%25%25%25'])(
    'is rejected for users if fewer than three letters follow a wildcard: %s',
    async (pattern) => {
      expect(await codeOf(await operator.get(`/users?search.name=${pattern}`))).toEqual([
        400,
        'request.invalid_input',
      ])
    },
  )

  describe('for users', () => {
    const names = [
      '100% wool',
      '100 wool',
      'a_b',
      'axb',
      "Robert'); DROP TABLE users;--",
      'back\\slash',
      '"quoted" OR *',
    ]
    beforeEach(async () => {
      await app.env.DB.prepare("delete from users where tenant_id = 'default'").run()
      for (const name of names) await operator.send('POST', '/users', { name })
    })
    const search = async (query: string) => {
      const response = await operator.get(`/users?${query}`)
      return ((await response.json()) as { name: string }[]).map(({ name }) => name).sort()
    }

    it('interprets wildcards unless they are escaped', async () => {
      const like = (pattern: string) => search(new URLSearchParams({ 'search.name': pattern }).toString())
      expect(await like('100%')).toEqual(['100 wool', '100% wool'])
      expect(await like('100\\%%')).toEqual(['100% wool'])
      expect(await like('a_b')).toEqual(['a_b', 'axb'])
      expect(await like('a\\_b')).toEqual(['a_b'])
      expect(await like('back\\\\slash')).toEqual(['back\\slash'])
      expect(await like('%"quoted" OR%')).toEqual(['"quoted" OR *'])
      expect(await like('100*')).toEqual([])
    })

    it.each(names)('finds only an exact match for %s', async (name) => {
      expect(await search(new URLSearchParams({ 'search.name': name, mode: 'exact' }).toString())).toEqual([
        name,
      ])
    })

    it.each(["' or '1'='1", "%' or 1=1 --", '*) OR (*', 'name:*', 'NEAR(a b)', '"'])(
      '[ASVS-1.2.4-2] treats the text as data, not as part of the query: %s',
      async (text) => {
        for (const mode of ['exact', 'like']) {
          const query = new URLSearchParams({
            search: mode === 'like' ? `%${text}xyz%` : text,
            mode,
          }).toString()
          expect(await search(query)).toEqual([])
        }
      },
    )
  })
})
