import { AwsV4Signer } from 'aws4fetch'
import { sha256Hex } from '../hmac.ts'
import { addressBelow, addressProblem, putToProvider, type UploadConnector } from './upload.ts'

/**
 * Amazon S3 and other services of its protocol. Addresses are by path, which all of them understand. Without a region it
 * is read from the address, else it is `us-east-1`, the default of self-hosted servers.
 */
export const s3Storage: UploadConnector<'S3Storage'> = {
  problem: ({ endpoint }, reach) => addressProblem('endpoint', endpoint, reach),

  async put({ endpoint, bucket, accessKeyId, accessSecretKey, region, publicUrl }, upload, context) {
    const address = addressBelow(endpoint, `${bucket}/${upload.key}`)
    const { url, headers } = await new AwsV4Signer({
      url: address,
      method: 'PUT',
      headers: {
        'content-type': upload.headers.contentType,
        'content-disposition': upload.headers.contentDisposition,
        'cache-control': upload.headers.cacheControl,
        // Part of the signature: a proxy cannot exchange the picture.
        'x-amz-content-sha256': await sha256Hex(upload.content),
      },
      body: upload.content,
      accessKeyId,
      secretAccessKey: accessSecretKey,
      service: 's3',
      ...(region && { region }),
      datetime: new Date(context.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    }).sign()
    await putToProvider(url.href, Object.fromEntries(headers), upload, context)
    return addressBelow(publicUrl ?? addressBelow(endpoint, bucket), upload.key)
  },
}
