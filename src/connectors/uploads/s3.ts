import { AwsV4Signer } from 'aws4fetch'
import { addressProblem, below, put, type UploadConnector } from './upload.ts'

/**
 * Amazon S3 and what speaks its protocol. Addressed by path, which all of them understand; without a region it is read
 * from the address, else it is `us-east-1`, as servers of one's own have it.
 */
export const s3Storage: UploadConnector<'S3Storage'> = {
  problem: ({ endpoint }, reach) => addressProblem('endpoint', endpoint, reach),

  async put({ endpoint, bucket, accessKeyId, accessSecretKey, region, publicUrl }, upload, context) {
    const address = below(endpoint, `${bucket}/${upload.key}`)
    const { url, headers } = await new AwsV4Signer({
      url: address,
      method: 'PUT',
      headers: {
        'content-type': upload.headers.contentType,
        'content-disposition': upload.headers.contentDisposition,
        'cache-control': upload.headers.cacheControl,
        // Signed with the rest: whoever stands in between cannot exchange the picture.
        'x-amz-content-sha256': await sha256(upload.content),
      },
      body: upload.content,
      accessKeyId,
      secretAccessKey: accessSecretKey,
      service: 's3',
      ...(region && { region }),
      datetime: new Date(context.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    }).sign()
    await put(url.href, Object.fromEntries(headers), upload, context)
    return below(publicUrl ?? below(endpoint, bucket), upload.key)
  },
}

async function sha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
