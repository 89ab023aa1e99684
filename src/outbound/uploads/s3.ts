import { AwsV4Signer } from 'aws4fetch'
import type { StorageProvider } from '../../contract/tenants/settings.ts'
import { sha256Hex } from '../hmac.ts'
import {
  addressBelow,
  addressProblem,
  callProvider,
  MOST_LISTED,
  removeListed,
  type UploadConnector,
  type UploadContext,
} from './upload.ts'

/**
 * Amazon S3 and other services of its protocol. Addresses are by path, which all of them understand. Without a region it
 * is read from the address, else it is `us-east-1`, the default of self-hosted servers.
 */
export const s3Storage: UploadConnector<'S3Storage'> = {
  problem: ({ endpoint }, reach) => addressProblem('endpoint', endpoint, reach),

  async put(provider, { key, content, headers }, context) {
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
    return addressBelow(publicUrl ?? addressBelow(endpoint, bucket), key)
  },

  /** One call for each: not every service of the protocol has the deletion of several. */
  removeSome: (provider, prefix, context) =>
    removeListed({
      list(from) {
        const query = new URLSearchParams({
          ...(from && { 'continuation-token': from }),
          'list-type': '2',
          'max-keys': String(MOST_LISTED),
          prefix,
        })
        return signedCall(provider, { method: 'GET', path: `?${query}` }, context)
      },
      elements: { name: 'Key', next: 'NextContinuationToken' },
      prefix,
      remove: (key) => signedCall(provider, { method: 'DELETE', path: key }, context),
    }),
}

type Provider = Extract<StorageProvider, { provider: 'S3Storage' }>

type BucketCall = {
  method: 'PUT' | 'GET' | 'DELETE'
  /** Below the bucket; a query belongs to the bucket itself. */
  path: string
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer>
}

async function signedCall(
  { endpoint, bucket, accessKeyId, accessSecretKey, region }: Provider,
  { method, path, headers: given = {}, body }: BucketCall,
  context: UploadContext,
): Promise<string> {
  const { url, headers } = await new AwsV4Signer({
    url: addressBelow(endpoint, path.startsWith('?') ? bucket + path : `${bucket}/${path}`),
    method,
    headers: {
      ...given,
      // Part of the signature: a proxy cannot exchange the picture.
      'x-amz-content-sha256': await sha256Hex(body ?? new Uint8Array()),
    },
    ...(body && { body }),
    accessKeyId,
    secretAccessKey: accessSecretKey,
    service: 's3',
    ...(region && { region }),
    datetime: new Date(context.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  }).sign()
  return callProvider(
    { method, url: url.href, headers: Object.fromEntries(headers), ...(body && { body }) },
    context,
  )
}
