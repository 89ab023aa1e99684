import { createHash, createHmac } from 'node:crypto'
import { bucketSecrets as secrets } from './provider-secrets.ts'

export type BucketCall = { method: string; path: string; headers: Record<string, string>; body: Buffer }

/**
 * Checks the signature of a call as an object store does. Returns what is wrong, or null if the signature is
 * valid. The checks follow the stores' documentation and use node:crypto instead of the product's code.
 */
export function problemOf(call: BucketCall): string | null {
  const authorization = call.headers.authorization ?? ''
  if (authorization.startsWith('AWS4-HMAC-SHA256 ')) return s3Problem(call, authorization)
  if (authorization.startsWith('SharedKey ')) return azureProblem(call, authorization)
  return 'not signed'
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function s3Problem({ method, path, headers, body }: BucketCall, authorization: string): string | null {
  const [, scope = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/.exec(
      authorization,
    ) ?? []
  const [keyId, date = '', region = '', service = '', end = ''] = scope.split('/')
  const time = headers['x-amz-date'] ?? ''
  if (keyId !== secrets.accessKeyId || service !== 's3') return `scope ${scope}`
  if (!['us-east-1', 'eu-north-7'].includes(region)) return `region ${region}`
  const signed = names.split(';')
  const required = ['host', 'x-amz-date', 'x-amz-content-sha256']
  for (const name of method === 'PUT' ? [...required, 'content-disposition'] : required) {
    if (!signed.includes(name)) return `unsigned ${name}`
  }
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'another content'
  if (date !== time.slice(0, 8)) return 'date'
  const lines = signed.map((name) => `${name}:${headers[name]}\n`).join('')
  const { pathname, searchParams } = new URL(path, 'http://store')
  const query = [...searchParams]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&')
  const request = [method, pathname, query, lines, names, sha256(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, [date, region, service, end].join('/'), sha256(request)].join('\n')
  const key = [region, service, end].reduce<Buffer>(hmac, hmac(`AWS4${secrets.accessSecretKey}`, date))
  return hmac(key, text).toString('hex') === signature ? null : 'signature'
}

/** https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key */
function azureProblem({ method, path, headers, body }: BucketCall, authorization: string): string | null {
  const { azureAccount: account, azureKey } = secrets
  const [, name, signature] = /^SharedKey (\w+):(.+)$/.exec(authorization) ?? []
  if (name !== account) return `account ${name}`
  if (method === 'PUT' && headers['x-ms-blob-type'] !== 'BlockBlob') return 'no type of blob'
  if (!/^\d{4}-\d\d-\d\d$/.test(headers['x-ms-version'] ?? '')) return 'no version'
  const own = Object.keys(headers)
    .filter((header) => header.startsWith('x-ms-'))
    .sort()
    .map((header) => `${header}:${headers[header]}\n`)
    .join('')
  const standard = [
    headers['content-encoding'],
    headers['content-language'],
    body.length || '',
    headers['content-md5'],
    headers['content-type'],
    headers.date,
    headers['if-modified-since'],
    headers['if-match'],
    headers['if-none-match'],
    headers['if-unmodified-since'],
    headers.range,
  ].map((value) => `${value ?? ''}\n`)
  const { pathname, searchParams } = new URL(path, 'http://store')
  const query = [...searchParams]
    .sort()
    .map(([parameter, value]) => `\n${parameter}:${value}`)
    .join('')
  const text = `${method}\n${standard.join('')}${own}/${account}${pathname}${query}`
  return hmac(Buffer.from(azureKey, 'base64'), text).toString('base64') === signature ? null : 'signature'
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html,
 * https://learn.microsoft.com/rest/api/storageservices/list-blobs
 */
export function listOf(path: string, stored: readonly string[]): string {
  const { pathname, searchParams } = new URL(path, 'http://store')
  const isAzure = searchParams.get('comp') === 'list'
  const limit = Number(searchParams.get(isAzure ? 'maxresults' : 'max-keys'))
  // The marker contains an `&`, which XML has to escape.
  const from = Number(searchParams.get(isAzure ? 'marker' : 'continuation-token')?.split('&')[1] ?? 0)
  const names = stored
    .map((storedPath) => storedPath.slice(pathname.length + 1))
    .filter((name) => name.startsWith(searchParams.get('prefix') ?? ''))
    .sort()
  const page = names.slice(from, from + limit)
  const next = from + limit < names.length ? `at&amp;${from + limit}` : ''
  return isAzure
    ? `<EnumerationResults><Blobs>${page.map((name) => `<Blob><Name>${name}</Name></Blob>`).join('')}</Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`
    : `<ListBucketResult>${next && `<NextContinuationToken>${next}</NextContinuationToken>`}${page.map((name) => `<Contents><Key>${name}</Key></Contents>`).join('')}</ListBucketResult>`
}
