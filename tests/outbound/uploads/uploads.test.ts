import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { StorageProvider } from '../../../src/contract/tenants/settings.ts'
import { uploadStorage } from '../../../src/outbound/uploads/index.ts'
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

/** Addresses of one test alone, which can read what arrived there. */
function newStore() {
  const caller = crypto.randomUUID()
  const base = `${env.TEST_PROVIDER_STUBS.buckets}/${caller}`
  const read = async <T>(what: string): Promise<T> => (await fetch(`${base}/${what}`)).json()
  return {
    at: (behaviour: string) => `${base}/${behaviour}`,
    kept: () => read<StoredUpload[]>('kept'),
    calls: () => read<string[]>('calls'),
  }
}

const { accessKeyId, accessSecretKey, azureAccount, azureKey } = secrets
const makers: Record<string, (address: string) => StorageProvider> = {
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

const failureOf = (keeping: Promise<unknown>) =>
  keeping.then(
    () => expect.unreachable('It was kept'),
    (error: unknown) => (error instanceof UploadFailure ? error.detail : Promise.reject(error)),
  )

describe.each(Object.entries(makers))('%s', (_name, make) => {
  it('signs the upload, and answers its address', async () => {
    const store = newStore()
    const address = await uploadStorage(make(store.at('ok'))).put(upload, context)
    expect(address).toBe(`${store.at('ok')}/my-files/${upload.key}`)
    const [kept, ...others] = await store.kept()
    expect(others).toEqual([])
    expect(new URL(address).pathname).toBe(kept?.path)
    expect(atob(kept?.content ?? '')).toBe(String.fromCharCode(...upload.content))
    const { headers = {} } = kept ?? {}
    expect(headers['content-type']).toBe('image/png')
    expect([headers['content-disposition'], headers['x-ms-blob-content-disposition']]).toContain('inline')
    expect([headers['cache-control'], headers['x-ms-blob-cache-control']]).toContain(
      upload.headers.cacheControl,
    )
  })

  it('is refused with another key', async () => {
    const store = newStore()
    const wrong = make(store.at('ok'))
    if (wrong.provider === 'S3Storage') wrong.accessSecretKey = 'another'
    if (wrong.provider === 'AzureStorage')
      wrong.connectionString = wrong.connectionString.replace(azureKey, btoa('another'))
    expect(await failureOf(uploadStorage(wrong).put(upload, context))).toEqual({
      status: 403,
      error: 'SignatureDoesNotMatch',
    })
    expect(await store.kept()).toEqual([])
  })

  it('reports the error code of the store, and nothing else of its answer', async () => {
    const detail = await failureOf(uploadStorage(make(newStore().at('refusing'))).put(upload, context))
    expect(detail).toEqual({ status: 403, error: 'AccessDenied' })
  })

  it('does not follow a redirect', async () => {
    const store = newStore()
    expect(await failureOf(uploadStorage(make(store.at('redirecting'))).put(upload, context))).toMatchObject({
      status: 307,
    })
    expect((await store.calls()).length).toBe(1)
  })

  it('fails where the store is slow or cannot be reached', async () => {
    const impatient = { ...context, timeout: SHORT_TIMEOUT }
    expect(await failureOf(uploadStorage(make(newStore().at('slow'))).put(upload, impatient))).toEqual({
      reason: 'timed out',
    })
    expect(await failureOf(uploadStorage(make('http://127.0.0.1:9')).put(upload, context))).toHaveProperty(
      'reason',
    )
  })

  it('deletes the uploads of one tenant, list by list, and no other file', async () => {
    const store = newStore()
    const provider = make(store.at('ok'))
    const keep = (key: string) => uploadStorage(provider).put({ ...upload, key }, context)
    const others = ['other/user/2026/11/21/Abcd1234/a.png', 'default-b/user/2026/11/21/Abcd1234/a.png']
    // Before the uploads in the order of a list, and more than one list has.
    for (let n = 0; n < 61; n++) others.push(`default/own-${n}.png`)
    const ours = Array.from({ length: 61 }, (_, n) => `default/user/2026/11/21/Abcd12${10 + n}/logo.png`)
    // One after the other: a busy machine would not answer 124 at once in time.
    for (const key of [...others, ...ours]) await keep(key)
    const paths = async () => (await store.kept()).map(({ path }) => path.split('/my-files/')[1]).sort()

    let steps = 1
    while (!(await uploadStorage(provider).removeSome('default/', context))) steps++
    expect(steps).toBe(2)
    expect(await paths()).toEqual(others.toSorted())
  })

  it('deletes nothing else, whatever a list says', async () => {
    const store = newStore()
    expect(await uploadStorage(make(store.at('lying'))).removeSome('default/', context)).toBe(true)
    expect((await store.calls()).map((call) => call.split(' ')[0])).toEqual(['GET'])
  })

  it('fails where the store refuses a list or a deletion, and deletes what it can', async () => {
    const store = newStore()
    const provider = make(store.at('recovering'))
    for (const id of ['Abcd1234', 'Abcd1235']) {
      await uploadStorage(provider).put({ ...upload, key: `default/user/2026/11/21/${id}/a.png` }, context)
    }
    const refused = { status: 503, error: 'SlowDown' }
    expect(await failureOf(uploadStorage(provider).removeSome('default/', context))).toEqual(refused)
    expect((await store.kept()).length).toBe(2)
    expect(await failureOf(uploadStorage(provider).removeSome('default/', context))).toEqual(refused)
    expect((await store.kept()).length).toBe(1)
    expect(await uploadStorage(provider).removeSome('default/', context)).toBe(true)
    expect(await store.kept()).toEqual([])
  })

  it('answers the public address, where there is one', async () => {
    const provider = { ...make(newStore().at('ok')), publicUrl: 'https://cdn.example.com/a/' }
    expect(await uploadStorage(provider).put(upload, context)).toBe(`https://cdn.example.com/a/${upload.key}`)
  })
})

it('S3 takes a region that the address does not contain', async () => {
  const store = newStore()
  const provider = makers.S3Storage?.(store.at('ok'))
  if (provider?.provider !== 'S3Storage') throw new Error('no provider')
  await uploadStorage({ ...provider, region: 'eu-north-7' }).put(upload, context)
  const [kept] = await store.kept()
  expect(kept?.headers.authorization).toContain('/eu-north-7/s3/aws4_request')
})

it('R2 stores through its binding, with the headers it is served with', async () => {
  const provider = { provider: 'R2', publicUrl: 'https://files.example.com' } as const
  expect(await uploadStorage(provider).put(upload, context)).toBe(`https://files.example.com/${upload.key}`)
  const kept = await env.ASSET_BUCKET?.get(upload.key)
  expect(new Uint8Array((await kept?.arrayBuffer()) ?? [])).toEqual(upload.content)
  expect(kept?.httpMetadata).toEqual(upload.headers)
  const failing = { ...context, assetBucket: undefined }
  expect(uploadStorage(provider).problem(failing)).toEqual({
    field: 'provider',
    message: 'needs the R2 binding ASSET_BUCKET',
  })
  expect(await failureOf(uploadStorage(provider).put(upload, failing))).toHaveProperty('reason')
})

describe('a connection string', () => {
  const reach = { allowPrivateTargets: false }
  const problem = (connectionString: string) =>
    uploadStorage({ provider: 'AzureStorage', connectionString, container: 'files' }).problem(reach)?.message
  const account = `AccountName=${azureAccount};AccountKey=${azureKey}`

  it.each([
    `DefaultEndpointsProtocol=https;${account};EndpointSuffix=core.windows.net`,
    `${account};BlobEndpoint=https://files.example.com/`,
    ` ${account} ; `,
  ])('may be %s', (text) => {
    expect(problem(text)).toBeUndefined()
  })

  it.each([
    ['', 'must hold AccountName and AccountKey'],
    [`AccountName=${azureAccount}`, 'must hold AccountName and AccountKey'],
    [`AccountName=${azureAccount};AccountKey=***`, 'must hold AccountName and AccountKey'],
    [`AccountName=a.b/c;AccountKey=${azureKey}`, 'has an AccountName that is none'],
    [`${account};BlobEndpoint=here`, 'has a BlobEndpoint that is none'],
    [`${account};BlobEndpoint=https://files.example.com/?x=`, 'has a BlobEndpoint that is none'],
    [`DefaultEndpointsProtocol=http;${account}`, 'must use https'],
    [`${account};EndpointSuffix=localhost`, 'must not lead to a private address'],
    [`${account};BlobEndpoint=https://169.254.169.254/`, 'must not lead to a private address'],
    [`${account};EndpointSuffix=example.com@10.0.0.1`, 'must not contain a user name or a password'],
  ])('may not be %s: %s', (text, message) => {
    expect(problem(text)).toBe(message)
  })
})
