import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { StorageProvider } from '../../../src/contract/tenants/settings.ts'
import { createUploadStorage } from '../../../src/outbound/uploads/index.ts'
import { type Upload, type UploadContext, UploadFailure } from '../../../src/outbound/uploads/upload.ts'
import { TEST_NOW } from '../../storage/databases.ts'
import type { StoredUpload } from '../bucket-server.ts'
import { SHORT_TIMEOUT } from '../connector-context.ts'
import { pictureFiles } from '../messages/pictures.ts'
import { bucketSecrets as secrets } from '../provider-secrets.ts'

const context: UploadContext = {
  fetch: (address, init) => fetch(address, init),
  assetBucket: env.ASSET_BUCKET,
  now: () => TEST_NOW,
  timeout: 10_000,
  allowPrivateTargets: true,
}

const upload: Upload = {
  key: 'default/user/2026/11/21/Abcd1234/logo.png',
  content: pictureFiles['image/png'],
  headers: {
    contentType: 'image/png',
    contentDisposition: 'inline',
    cacheControl: 'public, max-age=31536000, immutable',
  },
}

/**
 * Returns the endpoints of stub stores for a single test, and functions that read the received uploads and
 * calls.
 */
function newStore() {
  const caller = crypto.randomUUID()
  const base = `${env.TEST_PROVIDER_STUBS.buckets}/${caller}`
  const read = async <T>(path: string): Promise<T> => (await fetch(`${base}/${path}`)).json()
  return {
    at: (behaviour: string) => `${base}/${behaviour}`,
    uploads: () => read<StoredUpload[]>('kept'),
    calls: () => read<string[]>('calls'),
  }
}

const { accessKeyId, accessSecretKey, azureAccount, azureKey } = secrets
const providers: Record<string, (address: string) => StorageProvider> = {
  S3Storage: (endpoint) => ({
    provider: 'S3Storage',
    endpoint,
    bucket: 'my-files',
    accessKeyId,
    accessSecretKey,
  }),
  AzureStorage: (endpoint) => ({
    provider: 'AzureStorage',
    connectionString: `AccountName=${azureAccount};AccountKey=${azureKey};BlobEndpoint=${endpoint}`,
    container: 'my-files',
  }),
}

const failureOf = (uploading: Promise<unknown>) =>
  uploading.then(
    () => expect.unreachable('The call succeeded'),
    (error: unknown) => (error instanceof UploadFailure ? error.detail : Promise.reject(error)),
  )

describe.each(Object.entries(providers))('the upload storage %s', (_name, make) => {
  it('signs the upload request and returns the upload’s URL', async () => {
    const store = newStore()
    const address = await createUploadStorage(make(store.at('ok'))).put(upload, context)
    expect(address).toBe(`${store.at('ok')}/my-files/${upload.key}`)
    const [stored, ...others] = await store.uploads()
    expect(others).toEqual([])
    expect(new URL(address).pathname).toBe(stored?.path)
    expect(atob(stored?.content ?? '')).toBe(String.fromCharCode(...upload.content))
    const { headers = {} } = stored ?? {}
    expect(headers['content-type']).toBe('image/png')
    expect([headers['content-disposition'], headers['x-ms-blob-content-disposition']]).toContain('inline')
    expect([headers['cache-control'], headers['x-ms-blob-cache-control']]).toContain(
      upload.headers.cacheControl,
    )
  })

  it('fails when the store rejects a signature made with a wrong key', async () => {
    const store = newStore()
    const wrong = make(store.at('ok'))
    if (wrong.provider === 'S3Storage') wrong.accessSecretKey = 'another'
    if (wrong.provider === 'AzureStorage')
      wrong.connectionString = wrong.connectionString.replace(azureKey, btoa('another'))
    expect(await failureOf(createUploadStorage(wrong).put(upload, context))).toEqual({
      status: 403,
      error: 'SignatureDoesNotMatch',
    })
    expect(await store.uploads()).toEqual([])
  })

  it('reports only the status and error code from the store’s response', async () => {
    const detail = await failureOf(createUploadStorage(make(newStore().at('refusing'))).put(upload, context))
    expect(detail).toEqual({ status: 403, error: 'AccessDenied' })
  })

  it('does not follow redirects', async () => {
    const store = newStore()
    expect(
      await failureOf(createUploadStorage(make(store.at('redirecting'))).put(upload, context)),
    ).toMatchObject({
      status: 307,
    })
    expect((await store.calls()).length).toBe(1)
  })

  it('fails when the store is slow or unreachable', async () => {
    const impatient = { ...context, timeout: SHORT_TIMEOUT }
    expect(await failureOf(createUploadStorage(make(newStore().at('slow'))).put(upload, impatient))).toEqual({
      reason: 'timed out',
    })
    expect(
      await failureOf(createUploadStorage(make('http://127.0.0.1:9')).put(upload, context)),
    ).toHaveProperty('reason')
  })

  it('deletes one tenant’s uploads page by page, and no other files', async () => {
    const store = newStore()
    const provider = make(store.at('ok'))
    const storeUpload = (key: string) => createUploadStorage(provider).put({ ...upload, key }, context)
    const others = ['other/user/2026/11/21/Abcd1234/a.png', 'default-b/user/2026/11/21/Abcd1234/a.png']
    // The list contains these files before the uploads, and there are more of them than fit on one page.
    for (let n = 0; n < 61; n++) others.push(`default/own-${n}.png`)
    const ours = Array.from({ length: 61 }, (_, n) => `default/user/2026/11/21/Abcd12${10 + n}/logo.png`)
    // Send the requests one after another, because a busy machine may not respond to 124 concurrent requests
    // in time.
    for (const key of [...others, ...ours]) await storeUpload(key)
    const paths = async () => (await store.uploads()).map(({ path }) => path.split('/my-files/')[1]).sort()

    let steps = 1
    while (!(await createUploadStorage(provider).removeSome('default/', context))) steps++
    expect(steps).toBe(2)
    expect(await paths()).toEqual(others.toSorted())
  })

  it('does not delete another tenant’s files, even if the store lists them', async () => {
    const store = newStore()
    expect(await createUploadStorage(make(store.at('lying'))).removeSome('default/', context)).toBe(true)
    expect((await store.calls()).map((call) => call.split(' ')[0])).toEqual(['GET'])
  })

  it('deletes as many files as it can, and then fails, if the store rejects a list request or a deletion', async () => {
    const store = newStore()
    const provider = make(store.at('recovering'))
    for (const id of ['Abcd1234', 'Abcd1235']) {
      await createUploadStorage(provider).put(
        { ...upload, key: `default/user/2026/11/21/${id}/a.png` },
        context,
      )
    }
    const slowDown = { status: 503, error: 'SlowDown' }
    expect(await failureOf(createUploadStorage(provider).removeSome('default/', context))).toEqual(slowDown)
    expect((await store.uploads()).length).toBe(2)
    expect(await failureOf(createUploadStorage(provider).removeSome('default/', context))).toEqual(slowDown)
    expect((await store.uploads()).length).toBe(1)
    expect(await createUploadStorage(provider).removeSome('default/', context)).toBe(true)
    expect(await store.uploads()).toEqual([])
  })

  it('returns the public URL when one is configured', async () => {
    const provider = { ...make(newStore().at('ok')), publicUrl: 'https://cdn.example.com/a/' }
    expect(await createUploadStorage(provider).put(upload, context)).toBe(
      `https://cdn.example.com/a/${upload.key}`,
    )
  })
})

it('S3 uses the configured region if the endpoint contains none', async () => {
  const store = newStore()
  const provider = providers.S3Storage?.(store.at('ok'))
  if (provider?.provider !== 'S3Storage') throw new Error('no provider')
  await createUploadStorage({ ...provider, region: 'eu-north-7' }).put(upload, context)
  const [stored] = await store.uploads()
  expect(stored?.headers.authorization).toContain('/eu-north-7/s3/aws4_request')
})

it('R2 stores uploads through its binding, along with the headers for serving them', async () => {
  const provider = { provider: 'R2', publicUrl: 'https://files.example.com' } as const
  expect(await createUploadStorage(provider).put(upload, context)).toBe(
    `https://files.example.com/${upload.key}`,
  )
  const stored = await env.ASSET_BUCKET?.get(upload.key)
  expect(new Uint8Array((await stored?.arrayBuffer()) ?? [])).toEqual(upload.content)
  expect(stored?.httpMetadata).toEqual(upload.headers)
  const failing = { ...context, assetBucket: undefined }
  expect(createUploadStorage(provider).problem(failing)).toEqual({
    field: 'provider',
    message: 'needs the R2 binding ASSET_BUCKET',
  })
  expect(await failureOf(createUploadStorage(provider).put(upload, failing))).toHaveProperty('reason')
})

describe('an Azure connection string', () => {
  const reach = { allowPrivateTargets: false }
  const problem = (connectionString: string) =>
    createUploadStorage({ provider: 'AzureStorage', connectionString, container: 'files' }).problem(reach)
      ?.message
  const account = `AccountName=${azureAccount};AccountKey=${azureKey}`

  it.each([
    `DefaultEndpointsProtocol=https;${account};EndpointSuffix=core.windows.net`,
    `${account};BlobEndpoint=https://files.example.com/`,
    ` ${account} ; `,
  ])('is accepted: %s', (text) => {
    expect(problem(text)).toBeUndefined()
  })

  it.each([
    ['', 'must contain AccountName and AccountKey'],
    [`AccountName=${azureAccount}`, 'must contain AccountName and AccountKey'],
    [`AccountName=${azureAccount};AccountKey=***`, 'must contain AccountName and AccountKey'],
    [`AccountName=a.b/c;AccountKey=${azureKey}`, 'has an invalid AccountName'],
    [`${account};BlobEndpoint=here`, 'has an invalid BlobEndpoint'],
    [`${account};BlobEndpoint=https://files.example.com/?x=`, 'has an invalid BlobEndpoint'],
    [`DefaultEndpointsProtocol=http;${account}`, 'must use https'],
    [`${account};EndpointSuffix=localhost`, 'must not lead to a private address'],
    [`${account};BlobEndpoint=https://169.254.169.254/`, 'must not lead to a private address'],
    [`${account};EndpointSuffix=example.com@10.0.0.1`, 'must not contain a user name or a password'],
  ])('is rejected if it is "%s": %s', (text, message) => {
    expect(problem(text)).toBe(message)
  })
})
