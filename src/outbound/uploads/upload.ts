import type { StorageProvider } from '../../contract/tenants/settings.ts'
import { outboundUrlProblem } from '../../domain/connectors/outbound-address.ts'
import { isUploadKey } from '../../domain/experience/upload-key.ts'
import { readBoundedBody } from '../bounded-body.ts'
import type { ConnectorContext } from '../connector-context.ts'

/** Defines a storage provider for uploads, which consists of three functions created from its settings. */

export type Upload = {
  /** The key of the file, which contains only letters, digits and `/._-` (`domain/experience/upload-key.ts`). */
  key: string
  content: Uint8Array<ArrayBuffer>
  /** The headers with which the provider serves the file. */
  headers: { contentType: string; contentDisposition: string; cacheControl: string }
}

export type UploadContext = Pick<
  ConnectorContext,
  'fetch' | 'assetBucket' | 'now' | 'timeout' | 'allowPrivateTargets'
>

/** A problem in the settings of a provider, with the field that it concerns. */
type ProviderProblem = { field: string; message: string }

export type UploadStorage = {
  /**
   * Returns why uploads cannot be stored with these settings, or null. This is checked when the settings are stored and
   * again before each use, because the rules for outbound addresses may change.
   */
  problem(reach: UploadReach): ProviderProblem | null
  /** Stores a file and returns the address at which it is served. Throws an UploadFailure. */
  put(upload: Upload, context: UploadContext): Promise<string>
  /**
   * Deletes some of the files that begin with the prefix, and returns true if nothing is left. Throws an UploadFailure.
   */
  removeSome(prefix: string, context: UploadContext): Promise<boolean>
}

export type ProviderOf<Name extends StorageProvider['provider']> = Extract<
  StorageProvider,
  { provider: Name }
>
type UploadReach = Pick<UploadContext, 'allowPrivateTargets' | 'assetBucket'>

/**
 * The error of a storage call. `detail` is only for the log: it contains no secrets, and only the code of the
 * provider's own message.
 */
export class UploadFailure extends Error {
  readonly detail: Record<string, unknown>

  constructor(detail: Record<string, unknown>) {
    super('The upload failed')
    this.name = 'UploadFailure'
    this.detail = detail
  }
}

/** Returns why an address must not be called, or null (spec/connectors#outbound-addresses). */
export function addressProblem(field: string, address: string, reach: UploadReach): ProviderProblem | null {
  const message = outboundUrlProblem(address, reach)
  return message ? { field, message } : null
}

type ProviderRequest = {
  method: 'PUT' | 'GET' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: Uint8Array<ArrayBuffer>
}

/**
 * Calls a provider and, for a GET, returns the list of files. A redirect is treated as a failure, because it would send
 * the content and signature to a URL that was not configured.
 */
export async function callProvider(
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

/** The size of a response that is enough for its error code. The rest is not read (spec/connectors#provider-calls). */
const RESPONSE_MAX_BYTES = 4 * 1024

/**
 * The maximum number of files in one list. Each is deleted in a call of its own, with as many calls in parallel as a
 * Worker may have connections.
 */
export const MAX_LISTED = 60
const MAX_CONCURRENT_CALLS = 6

/** The maximum size of a list, which is far more than `MAX_LISTED` entries need. */
const LIST_MAX_BYTES = 256 * 1024

/** The maximum number of lists that one step reads to find an upload among other files. */
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
  /** Returns the XML of a list of files, which begins at the first file or where another list ended. */
  list(from: string | undefined): Promise<string>
  /** The XML elements that contain the name of a file and the start of the next list. */
  elements: { name: string; next: string }
  prefix: string
  remove(key: string): Promise<unknown>
}

/**
 * Deletes the uploads that a list names. Other files stay, whatever the provider returns; lists that contain only those
 * are skipped. Returns true if nothing is left.
 */
export async function removeListed({ list, elements, prefix, remove }: Removal): Promise<boolean> {
  let cursor: string | undefined
  for (let lists = 0; lists < MAX_LISTS; lists++) {
    const answer = await list(cursor)
    const keys = textsOf(answer, elements.name).filter((key) => key.startsWith(prefix) && isUploadKey(key))
    await removeAll(keys, remove)
    cursor = textsOf(answer, elements.next)[0]?.replaceAll('&amp;', '&')
    if (!cursor) return true
    // The next step lists the files from the beginning again, without those deleted here.
    if (keys.length > 0) return false
  }
  throw new UploadFailure({ reason: 'too many other files' })
}

const textsOf = (xml: string, element: string) =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]+)</${element}>`, 'g'))].map(([, text = '']) => text)

/** Deletes all files. A failure does not stop the others, but if all of several calls fail, no more are tried. */
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
 * Returns the error code from a response, which is XML for both kinds of services. The rest of the response is not
 * logged, because it quotes the request with its signature.
 */
const codeIn = (answer: string) => /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1]

/** Appends a path to a URL, which may end with a slash. */
export const joinAddress = (address: string, path: string) => `${address.replace(/\/+$/, '')}/${path}`
