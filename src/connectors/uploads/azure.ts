import { bytesToBase64 } from '../base64.ts'
import { hmacOf } from '../hmac.ts'
import {
  addressBelow,
  addressProblem,
  putToProvider,
  type Upload,
  type UploadConnector,
  UploadFailure,
} from './upload.ts'

/** Azure Blob Storage, authorized with the account's key (Shared Key). */
export const azureStorage: UploadConnector<'AzureStorage'> = {
  problem({ connectionString }, reach) {
    const account = readConnectionString(connectionString)
    if (typeof account === 'string') return { field: 'connectionString', message: account }
    return addressProblem('connectionString', account.endpoint, reach)
  },

  async put({ connectionString, container, publicUrl }, upload, context) {
    const account = readConnectionString(connectionString)
    if (typeof account === 'string') throw new UploadFailure({ reason: account })
    const url = new URL(addressBelow(account.endpoint, `${container}/${upload.key}`))
    const headers = blobHeaders(upload, context.now())
    const signature = await hmacOf('SHA-256', account.key, textToSign(account.name, url, upload, headers))
    const authorization = `SharedKey ${account.name}:${bytesToBase64(signature)}`
    await putToProvider(
      url.href,
      { ...headers, 'content-type': upload.headers.contentType, authorization },
      upload,
      context,
    )
    return publicUrl ? addressBelow(publicUrl, upload.key) : url.href
  },
}

type Account = { name: string; key: Uint8Array<ArrayBuffer>; endpoint: string }

/**
 * https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string: the account's key, and where its
 * blobs are. A text says what is wrong with it, never what it contains.
 */
export function readConnectionString(text: string): Account | string {
  const parts = new Map(
    text
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => [part.split('=', 1)[0] ?? '', part.slice(part.indexOf('=') + 1)]),
  )
  const name = parts.get('AccountName')
  const key = bytesOf(parts.get('AccountKey') ?? '')
  if (!name || !key) return 'must hold AccountName and AccountKey'
  if (!/^[a-z\d]{3,24}$/.test(name)) return 'has an AccountName that is none'

  const protocol = parts.get('DefaultEndpointsProtocol') ?? 'https'
  const suffix = parts.get('EndpointSuffix') ?? 'core.windows.net'
  const endpoint = parts.get('BlobEndpoint') ?? `${protocol}://${name}.blob.${suffix}`
  const url = URL.parse(endpoint)
  return url && !url.search && !url.hash ? { name, key, endpoint } : 'has a BlobEndpoint that is none'
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return bytes.length > 0 ? bytes : null
  } catch {
    return null
  }
}

/** The first version with everything used here; later ones sign the same way. */
const API_VERSION = '2021-08-06'

const blobHeaders = ({ headers }: Upload, now: number) => ({
  'x-ms-blob-cache-control': headers.cacheControl,
  'x-ms-blob-content-disposition': headers.contentDisposition,
  'x-ms-blob-content-type': headers.contentType,
  'x-ms-blob-type': 'BlockBlob',
  'x-ms-date': new Date(now).toUTCString(),
  'x-ms-version': API_VERSION,
})

/** https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key; the headers stand in their order already. */
function textToSign(
  account: string,
  url: URL,
  upload: Upload,
  headers: ReturnType<typeof blobHeaders>,
): string {
  return [
    'PUT',
    '', // Content-Encoding
    '', // Content-Language
    upload.content.byteLength,
    '', // Content-MD5
    upload.headers.contentType,
    '', // Date: x-ms-date is there
    '', // If-Modified-Since
    '', // If-Match
    '', // If-None-Match
    '', // If-Unmodified-Since
    '', // Range
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    `/${account}${url.pathname}`,
  ].join('\n')
}
