import { decodeBase64 } from '../../domain/base64.ts'
import { computeHmac } from '../hmac.ts'
import {
  callStorageProvider,
  deleteListedUploads,
  findUrlProblem,
  joinUrl,
  MAX_LISTED_FILES,
  type ProviderOf,
  type Upload,
  type UploadContext,
  UploadFailure,
  type UploadStorage,
} from './upload.ts'

/** Stores uploads in Azure Blob Storage. Requests are authorized with the storage account's key (Shared Key). */
export const azureStorage = ({
  connectionString,
  container,
  publicUrl,
}: ProviderOf<'AzureStorage'>): UploadStorage => ({
  problem(reach) {
    const account = readConnectionString(connectionString)
    if (typeof account === 'string') return { field: 'connectionString', message: account }
    return findUrlProblem('connectionString', account.endpoint, reach)
  },

  async put(upload, context) {
    const account = accountOf(connectionString)
    const url = new URL(joinUrl(account.endpoint, `${container}/${upload.key}`))
    const headers = blobHeaders(upload)
    const { contentType } = upload.headers
    await signedCall(account, { method: 'PUT', url, headers, contentType, body: upload.content }, context)
    return publicUrl ? joinUrl(publicUrl, upload.key) : url.href
  },

  async removeSome(prefix, context) {
    const account = accountOf(connectionString)
    const urlFor = (path: string) => new URL(joinUrl(account.endpoint, path))
    return deleteListedUploads({
      list(from) {
        const query = {
          comp: 'list',
          ...(from && { marker: from }),
          maxresults: String(MAX_LISTED_FILES),
          prefix,
          restype: 'container',
        }
        const url = urlFor(`${container}?${new URLSearchParams(query)}`)
        return signedCall(account, { method: 'GET', url, headers: {} }, context)
      },
      elements: { name: 'Name', next: 'NextMarker' },
      prefix,
      remove: (key) =>
        signedCall(
          account,
          // Azure deletes a blob with snapshots only if the request also asks to delete the snapshots.
          {
            method: 'DELETE',
            url: urlFor(`${container}/${key}`),
            headers: { 'x-ms-delete-snapshots': 'include' },
          },
          context,
        ),
    })
  },
})

function accountOf(connectionString: string): Account {
  const account = readConnectionString(connectionString)
  if (typeof account === 'string') throw new UploadFailure({ reason: account })
  return account
}

type Account = { name: string; key: Uint8Array<ArrayBuffer>; endpoint: string }

/**
 * Reads the account's key and the blob service URL from a connection string
 * (https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string). If the string is invalid,
 * returns the reason without quoting the string.
 */
function readConnectionString(text: string): Account | string {
  const parts = new Map(
    text
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => [part.split('=', 1)[0] ?? '', part.slice(part.indexOf('=') + 1)]),
  )
  const name = parts.get('AccountName')
  const key = decodeBase64(parts.get('AccountKey') ?? '')
  if (!name || !key?.length) return 'must contain AccountName and AccountKey'
  if (!/^[a-z\d]{3,24}$/.test(name)) return 'has an invalid AccountName'

  const protocol = parts.get('DefaultEndpointsProtocol') ?? 'https'
  const suffix = parts.get('EndpointSuffix') ?? 'core.windows.net'
  const endpoint = parts.get('BlobEndpoint') ?? `${protocol}://${name}.blob.${suffix}`
  const url = URL.parse(endpoint)
  return url && !url.search && !url.hash ? { name, key, endpoint } : 'has an invalid BlobEndpoint'
}

/** The first API version that supports all features used here. Later versions have the same signature scheme. */
const API_VERSION = '2021-08-06'

const blobHeaders = ({ headers }: Upload) => ({
  'x-ms-blob-cache-control': headers.cacheControl,
  'x-ms-blob-content-disposition': headers.contentDisposition,
  'x-ms-blob-content-type': headers.contentType,
  'x-ms-blob-type': 'BlockBlob',
})

type BlobCall = {
  method: 'PUT' | 'GET' | 'DELETE'
  url: URL
  /** Returns the headers that begin with `x-ms-`. */
  headers: Record<string, string>
  contentType?: string
  body?: Uint8Array<ArrayBuffer>
}

async function signedCall(account: Account, call: BlobCall, context: UploadContext): Promise<string> {
  const { method, url, contentType, body } = call
  const headers = {
    ...call.headers,
    'x-ms-date': new Date(context.now()).toUTCString(),
    'x-ms-version': API_VERSION,
  }
  const signature = computeHmac('sha256', account.key, textToSign(account.name, { ...call, headers }))
  const authorization = `SharedKey ${account.name}:${signature.toString('base64')}`
  const allHeaders = { ...headers, ...(contentType && { 'content-type': contentType }), authorization }
  return callStorageProvider({ method, url: url.href, headers: allHeaders, ...(body && { body }) }, context)
}

/**
 * Returns the string to sign (https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key).
 * The query parameters are already in the required order.
 */
const textToSign = (account: string, { method, url, headers, contentType = '', body }: BlobCall): string =>
  [
    method,
    '', // Content-Encoding
    '', // Content-Language
    body?.byteLength ?? '',
    '', // Content-MD5
    contentType,
    '', // Date is empty, because x-ms-date replaces it
    '', // If-Modified-Since
    '', // If-Match
    '', // If-None-Match
    '', // If-Unmodified-Since
    '', // Range
    ...Object.entries(headers)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name}:${value}`),
    `/${account}${url.pathname}`,
    ...[...url.searchParams].map(([name, value]) => `${name}:${value}`),
  ].join('\n')
