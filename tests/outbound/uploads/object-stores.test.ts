import { describe, expect, inject, it } from 'vitest'
import type { StorageProvider } from '../../../src/contract/tenants/settings.ts'
import { createUploadStorage } from '../../../src/outbound/uploads/index.ts'
import { type Upload, type UploadContext, UploadFailure } from '../../../src/outbound/uploads/upload.ts'
import { pictureFiles } from '../messages/pictures.ts'

/**
 * The upload storage against object stores that are not ours (tests/outbound/uploads/object-stores.ts). Azurite runs
 * only in an exhaustive run.
 */
const context: UploadContext = {
  fetch: (address, init) => fetch(address, init),
  assetBucket: undefined,
  now: Date.now,
  timeout: 10_000,
  allowPrivateTargets: true,
}

const { s3, azure } = inject('objectStores')
const AZURE_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

const s3Provider = (accessSecretKey = 'S3RVER', more: object = {}): StorageProvider => ({
  provider: 'S3Storage',
  endpoint: s3,
  bucket: 'my-files',
  accessKeyId: 'S3RVER',
  accessSecretKey,
  ...more,
})
const azureProvider = (key = AZURE_KEY, more: object = {}): StorageProvider => ({
  provider: 'AzureStorage',
  connectionString: `AccountName=devstoreaccount1;AccountKey=${key};BlobEndpoint=${azure}`,
  container: 'my-files',
  ...more,
})

const stores = [
  {
    name: 'S3',
    provider: s3Provider,
    address: `${s3}/my-files`,
    wrong: 'another secret',
    failure: { status: 403, error: 'SignatureDoesNotMatch' },
  },
  ...(azure
    ? [
        {
          name: 'Azure',
          provider: azureProvider,
          address: `${azure}/my-files`,
          wrong: btoa('another key'),
          failure: { status: 403, error: 'AuthorizationFailure' },
        },
      ]
    : []),
]

const uploadOf = (type: string, content: Uint8Array<ArrayBuffer>, tenantId = 'default'): Upload => ({
  key: `${tenantId}/user/2026/11/28/${crypto.randomUUID().slice(0, 8)}/picture`,
  content,
  headers: {
    contentType: type,
    contentDisposition: type === 'image/svg+xml' ? 'attachment' : 'inline',
    cacheControl: 'public, max-age=31536000, immutable',
  },
})

describe.each(stores)('a real store with the protocol of $name', ({ provider, address, wrong, failure }) => {
  it.each(Object.entries(pictureFiles))('stores %s and serves it unchanged', async (type, content) => {
    const upload = uploadOf(type, content)
    const url = await createUploadStorage(provider()).put(upload, context)
    expect(url).toBe(`${address}/${upload.key}`)
    const served = await fetch(url)
    expect(served.status).toBe(200)
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(content)
    expect([
      served.headers.get('content-type'),
      served.headers.get('content-disposition'),
      served.headers.get('cache-control'),
    ]).toEqual([type, upload.headers.contentDisposition, upload.headers.cacheControl])
  })

  it('compares the signature: a wrong secret stores nothing', async () => {
    const upload = uploadOf('image/png', pictureFiles['image/png'])
    const failed = await createUploadStorage(provider(wrong))
      .put(upload, context)
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(UploadFailure)
    expect((failed as UploadFailure).detail).toEqual(failure)
    expect((await fetch(`${address}/${upload.key}`)).status).toBe(404)
  })

  it('deletes the file of one tenant, and none of another', async () => {
    const storage = createUploadStorage(provider())
    const [ours, other] = ['closing', 'closing-2'].map((tenantId) =>
      uploadOf('image/png', pictureFiles['image/png'], tenantId),
    ) as [Upload, Upload]
    for (const upload of [ours, other]) await storage.put(upload, context)
    while (!(await storage.removeSome('closing/', context)));
    const statuses = [ours, other].map(async ({ key }) => (await fetch(`${address}/${key}`)).status)
    expect(await Promise.all(statuses)).toEqual([404, 200])
  })

  it('returns an address below the "optional publicUrl"', async () => {
    const publicUrl = 'https://files.example.com'
    const upload = uploadOf('image/png', pictureFiles['image/png'])
    const storage = createUploadStorage(provider(undefined, { publicUrl }))
    expect(await storage.put(upload, context)).toBe(`${publicUrl}/${upload.key}`)
  })
})
