import { AwsV4Signer } from 'aws4fetch'
import { sha256Hex } from '../hmac.ts'
import {
  callStorageProvider,
  deleteListedUploads,
  findUrlProblem,
  joinUrl,
  MAX_LISTED_FILES,
  type ProviderOf,
  type UploadContext,
  type UploadStorage,
} from './upload.ts'

/**
 * Stores uploads in Amazon S3 or another service with the same protocol. URLs contain the bucket in their path, which
 * all of these services support. If no region is configured, it is derived from the URL, or else defaults to
 * `us-east-1`, as on self-hosted servers.
 */
export const s3Storage = (provider: ProviderOf<'S3Storage'>): UploadStorage => ({
  problem: (reach) => findUrlProblem('endpoint', provider.endpoint, reach),

  async put({ key, content, headers }, context) {
    const { endpoint, bucket, publicUrl } = provider
    await signedCall(
      provider,
      {
        method: 'PUT',
        path: key,
        headers: {
          'content-type': headers.contentType,
          'content-disposition': headers.contentDisposition,
          'cache-control': headers.cacheControl,
        },
        body: content,
      },
      context,
    )
    return joinUrl(publicUrl ?? joinUrl(endpoint, bucket), key)
  },

  /** Delete objects one by one, because some services cannot delete several at once. */
  removeSome: (prefix, context) =>
    deleteListedUploads({
      list(from) {
        const query = new URLSearchParams({
          ...(from && { 'continuation-token': from }),
          'list-type': '2',
          'max-keys': String(MAX_LISTED_FILES),
          prefix,
        })
        return signedCall(provider, { method: 'GET', path: `?${query}` }, context)
      },
      elements: { name: 'Key', next: 'NextContinuationToken' },
      prefix,
      remove: (key) => signedCall(provider, { method: 'DELETE', path: key }, context),
    }),
})

type BucketCall = {
  method: 'PUT' | 'GET' | 'DELETE'
  /** The path below the bucket. If it begins with a query, the request is about the bucket itself. */
  path: string
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer>
}

async function signedCall(
  { endpoint, bucket, accessKeyId, accessSecretKey, region }: ProviderOf<'S3Storage'>,
  { method, path, headers = {}, body }: BucketCall,
  context: UploadContext,
): Promise<string> {
  const signed = await new AwsV4Signer({
    url: joinUrl(endpoint, path.startsWith('?') ? bucket + path : `${bucket}/${path}`),
    method,
    headers: {
      ...headers,
      // The signature covers the content's hash, so that no proxy can replace the picture.
      'x-amz-content-sha256': sha256Hex(body ?? ''),
    },
    ...(body && { body }),
    accessKeyId,
    secretAccessKey: accessSecretKey,
    service: 's3',
    ...(region && { region }),
    datetime: new Date(context.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  }).sign()
  return callStorageProvider(
    { method, url: signed.url.href, headers: Object.fromEntries(signed.headers), ...(body && { body }) },
    context,
  )
}
