import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Bindings } from '../../../src/bindings.ts'
import { BRAND_PICTURE_MAX_BYTES } from '../../../src/contract/experience/brand-pictures.ts'
import { MAX_UPLOAD_BYTES, uploadMimeTypes } from '../../../src/contract/experience/user-assets.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import type { StoredUpload } from '../../outbound/bucket-server.ts'
import { stubServers } from '../../outbound/connector-context.ts'
import { latin1Bytes, pictureFiles } from '../../outbound/messages/pictures.ts'
import { bucketSecrets } from '../../outbound/provider-secrets.ts'

let app: TestApp
let operator: Operator
let store: string
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})
beforeEach(() => {
  store = `${stubServers.buckets}/${crypto.randomUUID()}`
})

const { accessKeyId, accessSecretKey, azureAccount, azureKey } = bucketSecrets
const s3 = (endpoint: string) => ({
  provider: 'S3Storage',
  endpoint,
  bucket: 'files',
  accessKeyId,
  accessSecretKey,
})
const azure = (endpoint: string) => ({
  provider: 'AzureStorage',
  connectionString: `AccountName=${azureAccount};AccountKey=${azureKey};BlobEndpoint=${endpoint}`,
  container: 'files',
})
const r2 = { provider: 'R2', publicUrl: 'https://files.example.com' }

const setUp = (storageProvider: unknown, more: object = { allowPrivateTargets: true }) =>
  operator.send('PATCH', '/configs/settings', { storageProvider, ...more })

/** Uploads a picture that is too large for the database. */
const upload = (content: Uint8Array<ArrayBuffer>, file: { name?: string; type?: string } = {}) =>
  uploadExact(toBucketSize(content), file)

function uploadExact(
  content: Uint8Array<ArrayBuffer>,
  { name = 'logo.png', type = 'image/png' }: { name?: string; type?: string } = {},
): Promise<Response> {
  const body = new FormData()
  body.set('file', new File([content], name, { type }))
  return send({ body })
}

/** Appends blanks, which readers of pictures ignore. */
function toBucketSize(content: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.max(content.length, BRAND_PICTURE_MAX_BYTES + 1)).fill(0x20)
  padded.set(content)
  return padded
}

const send = (init: RequestInit) =>
  app.fetch('/api/user-assets', {
    method: 'POST',
    ...init,
    headers: { authorization: `Bearer ${operator.token}`, ...Object.fromEntries(new Headers(init.headers)) },
  })

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]
const urlOf = async (response: Response) => ((await response.json()) as { url: string }).url
const uploadsIn = async (address: string): Promise<StoredUpload[]> => (await fetch(`${address}/kept`)).json()
const today = () => new Date().toISOString().slice(0, 10).replaceAll('-', '/')
const ready = (maxUploadFileSize: number) => ({
  status: 'ready',
  allowUploadMimeTypes: [...uploadMimeTypes],
  maxUploadFileSize,
})
const status = async () => (await operator.get('/user-assets/service-status')).json()

describe('uploads', () => {
  it('require a storage provider for more than 256 KiB', async () => {
    await setUp(null)
    expect(await status()).toEqual(ready(BRAND_PICTURE_MAX_BYTES))
    expect(await codeOf(await upload(pictureFiles['image/png']))).toEqual([400, 'storage.not_configured'])

    await setUp(s3(`${store}/ok`))
    expect(await status()).toEqual(ready(MAX_UPLOAD_BYTES))
  })

  it.each([
    { name: 'S3', provider: s3 },
    { name: 'Azure', provider: azure },
  ])('are stored with the provider $name under unique keys', async ({ provider }) => {
    expect((await setUp(provider(`${store}/ok`))).status).toBe(200)
    const url = await urlOf(await upload(pictureFiles['image/png'], { name: '../My logo.png' }))
    const key = new RegExp(`^/files/default/management/${today()}/\\w{8}/My_logo\\.png$`)
    expect(url.slice(`${store}/ok`.length)).toMatch(key)
    const [stored] = await uploadsIn(store)
    expect(stored?.path).toBe(new URL(url).pathname)
    expect(atob(stored?.content ?? '').trimEnd()).toBe(String.fromCharCode(...pictureFiles['image/png']))
  })

  it('are stored in R2, where SVG drawings are marked as attachments', async () => {
    expect((await setUp(r2)).status).toBe(200)
    const url = await urlOf(
      await upload(pictureFiles['image/svg+xml'], { name: 'a.svg', type: 'image/svg+xml' }),
    )
    expect(url).toMatch(/^https:\/\/files\.example\.com\/default\/management\/.+\/a\.svg$/)
    const stored = await app.env.ASSET_BUCKET?.get(new URL(url).pathname.slice(1))
    expect((await stored?.text())?.trimEnd()).toBe(String.fromCharCode(...pictureFiles['image/svg+xml']))
    expect(stored?.httpMetadata).toMatchObject({
      contentType: 'image/svg+xml',
      contentDisposition: 'attachment',
    })
  })

  it.each(Object.entries(pictureFiles))(
    'can be of the type %s and are stored with the media type detected from their content',
    async (type, content) => {
      await setUp(r2)
      // The server ignores the declared type.
      const url = await urlOf(await upload(content, { type: 'image/x-icon', name: 'a.html' }))
      const stored = await app.env.ASSET_BUCKET?.head(new URL(url).pathname.slice(1))
      expect(stored?.httpMetadata?.contentType).toBe(type)
      expect(url).not.toMatch(/\.html$/)
    },
  )

  it.each([
    { what: 'an HTML page declared as a picture', content: '<!doctype html>', type: 'image/png' },
    { what: 'a picture declared as an HTML page', content: '\x89PNG\r\n\x1a\n', type: 'text/html' },
    { what: 'a picture without a declared type', content: '\x89PNG\r\n\x1a\n', type: '' },
    { what: 'a drawing with a script', content: '<svg onload="alert(1)"/>', type: 'image/svg+xml' },
    { what: 'an empty file', content: '', type: 'image/png' },
  ])('are rejected if the file is $what', async ({ content, type }) => {
    await setUp(s3(`${store}/ok`))
    expect(await codeOf(await uploadExact(latin1Bytes(content), { type }))).toEqual([
      400,
      'guard.mime_type_not_allowed',
    ])
    expect(await uploadsIn(store)).toEqual([])
  })

  it('are rejected if an SVG drawing contains a forbidden element, and the error names the element', async () => {
    await setUp(s3(`${store}/ok`))
    const answer = await upload(latin1Bytes('<svg><foreignObject/></svg>'), { type: 'image/svg+xml' })
    expect(await answer.json()).toMatchObject({ data: { forbidden: '<foreignObject>' } })
  })

  it('[ASVS-5.2.1] are limited to 8 MiB', async () => {
    await setUp(s3(`${store}/ok`))
    const content = new Uint8Array(MAX_UPLOAD_BYTES)
    content.set(pictureFiles['image/png'])
    expect((await upload(content)).status).toBe(200)
    const larger = new Uint8Array(MAX_UPLOAD_BYTES + 1)
    larger.set(pictureFiles['image/png'])
    expect(await codeOf(await upload(larger))).toEqual([400, 'guard.file_size_exceeded'])
    expect((await uploadsIn(store)).length).toBe(1)
  })

  it('[ASVS-5.2.1-2] are measured while they are read, regardless of their declared length', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024 * 1024
        controller.enqueue(new Uint8Array(1024 * 1024))
      },
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '100' }
    expect(await codeOf(await send({ body: endless, headers }))).toEqual([400, 'guard.file_size_exceeded'])
    expect(sent).toBeLessThan(2 * MAX_UPLOAD_BYTES)
  })

  const form = (...parts: (readonly [string, File | string])[]) => {
    const data = new FormData()
    for (const [name, value] of parts) data.append(name, value)
    return data
  }
  const png = new File([pictureFiles['image/png']], 'a.png', { type: 'image/png' })
  const json = { 'content-type': 'application/json' }
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }

  it.each<{ what: string; init: RequestInit; status: number }>([
    { what: 'no file', init: { body: form() }, status: 400 },
    { what: 'a string in place of the file', init: { body: form(['file', 'hello']) }, status: 400 },
    { what: 'a file in another field', init: { body: form(['picture', png]) }, status: 400 },
    { what: 'two files', init: { body: form(['file', png], ['file', png]) }, status: 400 },
    { what: 'a malformed form', init: { body: '--y', headers: multipart }, status: 400 },
    { what: 'an empty form', init: { body: '', headers: multipart }, status: 400 },
    { what: 'JSON', init: { body: '{}', headers: json }, status: 415 },
    { what: 'no body', init: {}, status: 415 },
  ])('are rejected if the request contains $what', async ({ init, status }) => {
    expect(await codeOf(await send(init))).toEqual([status, 'guard.invalid_input'])
  })

  it.each([s3, azure])(
    'fail without revealing any secrets if the storage provider fails',
    async (provider) => {
      for (const behaviour of ['refusing', 'redirecting']) {
        await setUp(provider(`${store}/${behaviour}`))
        const response = await upload(pictureFiles['image/png'])
        const text = await response.clone().text()
        expect(await codeOf(response)).toEqual([400, 'storage.upload_error'])
        expect(text).not.toMatch(/Credential|SharedKey|AccessDenied|127\.0\.0\.1/)
      }
      expect(await uploadsIn(store)).toEqual([])
    },
  )

  it('write an audit entry that contains their key', async () => {
    await setUp(s3(`${store}/ok`))
    const url = await urlOf(await upload(pictureFiles['image/gif'], { type: 'image/gif', name: 'row.gif' }))
    const response = await operator.get('/logs?logKey=Management.UserAsset.Create')
    const rows = (await response.json()) as { payload: { key?: string; actor?: unknown; result: string } }[]
    const key = url.slice(`${store}/ok/files/`.length)
    expect(rows.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ result: 'Success', actor: { type: 'app', id: 'management' } }),
    )
    expect(JSON.stringify(rows)).toContain(key)
  })

  it('are allowed only for operators', async () => {
    const response = await app.fetch('/api/user-assets', { method: 'POST', body: form(['file', png]) })
    expect(await codeOf(response)).toEqual([401, 'auth.authorization_header_missing'])
  })
})

describe('the storage provider', () => {
  it.each([
    s3('http://127.0.0.1:9000'),
    s3('https://[::1]/'),
    azure('https://10.0.0.1/'),
    { ...azure(''), connectionString: 'AccountName=abc' },
  ])('cannot be configured with an unsafe URL', async (provider) => {
    const response = await setUp(provider, { allowPrivateTargets: false })
    const body = await response.text()
    expect([response.status, JSON.parse(body).code]).toEqual([400, 'guard.invalid_input'])
    expect(body).toContain('storageProvider')
    expect(body).not.toContain(azureKey)
  })

  it.each([
    { ...s3('https://s3.example.com'), bucket: '../other' },
    { ...s3('https://s3.example.com/?list'), bucket: 'files' },
    { ...s3('https://s3.example.com'), accessKeyId: 'a\nb' },
    { ...azure('https://a.example.com'), container: 'a/b' },
    { provider: 'R2' },
    { provider: 'R2', publicUrl: 'javascript:alert(1)' },
    { provider: 'Disk', path: '/' },
  ])('cannot be configured with invalid values', async (provider) => {
    expect(await codeOf(await setUp(provider))).toEqual([400, 'guard.invalid_input'])
  })

  it('is checked again whenever it is used', async () => {
    await setUp(s3(`${store}/ok`))
    await operator.send('PATCH', '/configs/settings', { allowPrivateTargets: false })
    expect(await status()).toEqual(ready(BRAND_PICTURE_MAX_BYTES))
    expect(await codeOf(await upload(pictureFiles['image/png']))).toEqual([400, 'storage.not_configured'])
    expect(await uploadsIn(store)).toEqual([])
  })

  it('cannot be R2 if the R2 binding is missing', async () => {
    await setUp(r2)
    const unbound: Partial<Bindings> = { ASSET_BUCKET: undefined }
    const other = openTestApp(unbound)
    const otherOperator = await newOperator(other)
    expect(await (await otherOperator.get('/user-assets/service-status')).json()).toEqual(
      ready(BRAND_PICTURE_MAX_BYTES),
    )
    const again = await otherOperator.send('PATCH', '/configs/settings', { storageProvider: r2 })
    expect(await codeOf(again)).toEqual([400, 'guard.invalid_input'])
  })

  it('is returned without its secrets', async () => {
    await setUp({ ...s3('https://s3.example.com'), region: 'eu-north-7' })
    const settings = await (await operator.get('/configs/settings')).text()
    expect(settings).toContain('eu-north-7')
    expect(settings).not.toContain(accessSecretKey)
    await setUp(r2)
    expect(await (await operator.get('/configs/settings')).json()).toMatchObject({ storageProvider: r2 })
  })
})
