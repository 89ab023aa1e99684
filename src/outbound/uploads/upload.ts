import type { StorageProvider } from '../../contract/tenants/settings.ts'
import { findOutboundUrlProblem } from '../../domain/connectors/outbound-address.ts'
import { isUploadKey } from '../../domain/experience/upload-key.ts'
import { readBoundedBody } from '../bounded-body.ts'
import type { ConnectorContext } from '../connector-context.ts'

/** Defines the storage providers for uploads. Each consists of three functions, which are created from its settings. */

export type Upload = {
  /** The key of the file. It contains only letters, digits and `/._-` (`domain/experience/upload-key.ts`). */
  key: string
  content: Uint8Array<ArrayBuffer>
  /** The headers with which the provider serves the file. */
  headers: { contentType: string; contentDisposition: string; cacheControl: string }
}

export type UploadContext = Pick<
  ConnectorContext,
  'fetch' | 'assetBucket' | 'now' | 'timeout' | 'allowPrivateTargets'
>

/** A problem with a provider's settings, and the field that has the problem. */
type ProviderProblem = { field: string; message: string }

export type UploadStorage = {
  /**
   * Returns the reason why uploads cannot be stored with these settings, otherwise null. Called when the settings are
   * saved and before each use, because the rules for outbound addresses may change.
   */
  problem(reach: UploadReach): ProviderProblem | null
  /** Stores a file and returns the URL at which it is served. Throws an UploadFailure. */
  put(upload: Upload, context: UploadContext): Promise<string>
  /**
   * Deletes some of the files whose keys begin with the prefix. Returns true if none are left. Throws an UploadFailure.
   */
  removeSome(prefix: string, context: UploadContext): Promise<boolean>
}

export type ProviderOf<Name extends StorageProvider['provider']> = Extract<
  StorageProvider,
  { provider: Name }
>
type UploadReach = Pick<UploadContext, 'allowPrivateTargets' | 'assetBucket'>

/**
 * The error for a failed storage call. `detail` is only logged. It contains no secrets, and only the error code from
 * the provider's own message.
 */
export class UploadFailure extends Error {
  readonly detail: Record<string, unknown>

  constructor(detail: Record<string, unknown>) {
    super('The upload failed')
    this.name = 'UploadFailure'
    this.detail = detail
  }
}

/** Returns the reason why an address must not be called, otherwise null (spec/connectors#outbound-addresses). */
export function findUrlProblem(field: string, url: string, reach: UploadReach): ProviderProblem | null {
  const message = findOutboundUrlProblem(url, reach)
  return message ? { field, message } : null
}

type ProviderRequest = {
  method: 'PUT' | 'GET' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: Uint8Array<ArrayBuffer>
}

/**
 * Calls a storage provider. For a GET request, returns the list of files. Redirects are treated as failures, because
 * following one would send the content and the signature to a URL that was not configured.
 */
export async function callStorageProvider(
  { url, ...request }: ProviderRequest,
  { fetch, timeout }: UploadContext,
): Promise<string> {
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal })
    const isGone = request.method === 'DELETE' && response.status === 404
    if (response.ok || isGone) return await listIn(response, request.method)
    const answer = await readBoundedBody(response.body, RESPONSE_MAX_BYTES)
    throw new UploadFailure({ status: response.status, error: codeIn(await answer.content.text()) })
  } catch (error) {
    if (error instanceof UploadFailure) throw error
    throw new UploadFailure({ reason: signal.aborted ? 'timed out' : String(error) })
  }
}

/**
 * The number of bytes of an error response to read, which is enough for its error code
 * (spec/connectors#provider-calls).
 */
const RESPONSE_MAX_BYTES = 4 * 1024

/**
 * The maximum number of files in one list. Each file is deleted in a separate call. The calls run in parallel, within
 * the number of connections that a Worker may have.
 */
export const MAX_LISTED_FILES = 60
const MAX_CONCURRENT_CALLS = 6

/** The maximum size of a list, which is far more than `MAX_LISTED_FILES` entries need. */
const LIST_MAX_BYTES = 256 * 1024

/** The maximum number of lists to read in one step if most files are not uploads. */
const MAX_LISTS = 10

async function listIn(response: Response, method: ProviderRequest['method']): Promise<string> {
  if (method !== 'GET') {
    await response.body?.cancel()
    return ''
  }
  const { content, isWhole } = await readBoundedBody(response.body, LIST_MAX_BYTES)
  if (!isWhole) throw new UploadFailure({ reason: 'the list is too long' })
  return content.text()
}

type Removal = {
  /** Returns the XML of a list of files. The list begins with the first file, or where the previous list ended. */
  list(from: string | undefined): Promise<string>
  /** The XML elements that contain a file's name and the marker for the next list. */
  elements: { name: string; next: string }
  prefix: string
  remove(key: string): Promise<unknown>
}

/**
 * Lists files and deletes those that are uploads. Other files are never deleted, whatever the provider lists; lists
 * without uploads are skipped. Returns true if no uploads are left.
 */
export async function deleteListedUploads({ list, elements, prefix, remove }: Removal): Promise<boolean> {
  let cursor: string | undefined
  for (let lists = 0; lists < MAX_LISTS; lists++) {
    const answer = await list(cursor)
    const keys = textsOf(answer, elements.name).filter((key) => key.startsWith(prefix) && isUploadKey(key))
    await removeAll(keys, remove)
    cursor = textsOf(answer, elements.next)[0]?.replaceAll('&amp;', '&')
    if (!cursor) return true
    // The next step can start with the first list again, because the files deleted here are no longer in it.
    if (keys.length > 0) return false
  }
  throw new UploadFailure({ reason: 'too many other files' })
}

const textsOf = (xml: string, element: string) =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]+)</${element}>`, 'g'))].map(([, text = '']) => text)

/**
 * Deletes files in parallel. A failure does not affect the other deletions, but if all calls of a round fail, no
 * further round starts.
 */
async function removeAll(keys: readonly string[], remove: Removal['remove']): Promise<void> {
  let failure: PromiseRejectedResult | undefined
  for (let at = 0; at < keys.length; at += MAX_CONCURRENT_CALLS) {
    const results = await Promise.allSettled(keys.slice(at, at + MAX_CONCURRENT_CALLS).map(remove))
    const failed = results.filter((result) => result.status === 'rejected')
    failure ??= failed[0]
    if (failed.length === results.length) break
  }
  if (failure) throw failure.reason
}

/**
 * Returns the error code from a response, which is XML for all providers. The rest of the response quotes the request
 * with its signature, so it is not logged.
 */
const codeIn = (answer: string) => /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1]

/** Appends a path to a URL that may end in a slash. */
export const joinUrl = (base: string, path: string) => `${base.replace(/\/+$/, '')}/${path}`
