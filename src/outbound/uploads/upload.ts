import type { StorageProvider } from '../../contract/tenants/settings.ts'
import { outboundProblem } from '../../domain/connectors/outbound-address.ts'
import { isUploadKey } from '../../domain/experience/upload-key.ts'
import { readBoundedBody } from '../bounded-body.ts'
import type { ConnectorContext } from '../connector-context.ts'

/** What every provider of storage for uploads is: settings become a record of three functions. */

export type Upload = {
  /** Letters, digits and `/._-` alone (`domain/experience/upload-key.ts`). */
  key: string
  content: Uint8Array<ArrayBuffer>
  /** With which the provider serves it. */
  headers: { contentType: string; contentDisposition: string; cacheControl: string }
}

export type UploadContext = Pick<
  ConnectorContext,
  'fetch' | 'assetBucket' | 'now' | 'timeout' | 'allowPrivateTargets'
>

/** What is wrong with a provider's settings, and in which field. */
type ProviderProblem = { field: string; message: string }

export type UploadStorage = {
  /** Why uploads cannot go there. Checked when it is stored and before each use, as what is allowed may change. */
  problem(reach: UploadReach): ProviderProblem | null
  /** Answers the address at which it is served; throws an UploadFailure. */
  put(upload: Upload, context: UploadContext): Promise<string>
  /** Deletes some of what begins with the prefix; throws an UploadFailure. True: nothing is left. */
  removeSome(prefix: string, context: UploadContext): Promise<boolean>
}

export type ProviderOf<Name extends StorageProvider['provider']> = Extract<
  StorageProvider,
  { provider: Name }
>
type UploadReach = Pick<UploadContext, 'allowPrivateTargets' | 'assetBucket'>

/** `detail` is for the log alone: it contains no secret, and of a provider's own words only the code. */
export class UploadFailure extends Error {
  readonly detail: Record<string, unknown>

  constructor(detail: Record<string, unknown>) {
    super('The upload failed')
    this.name = 'UploadFailure'
    this.detail = detail
  }
}

/** spec/connectors#outbound-addresses */
export function addressProblem(field: string, address: string, reach: UploadReach): ProviderProblem | null {
  const message = outboundProblem(address, reach)
  return message ? { field, message } : null
}

type ProviderRequest = {
  method: 'PUT' | 'GET' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: Uint8Array<ArrayBuffer>
}

/**
 * Calls a provider and answers the list that a GET asked for. A redirect is a failure: it would carry content and
 * signature to an address that was not configured.
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
    const answer = await readBoundedBody(response.body, ANSWER_MAX_BYTES)
    throw new UploadFailure({ status: response.status, error: codeIn(await answer.content.text()) })
  } catch (error) {
    if (error instanceof UploadFailure) throw error
    throw new UploadFailure({ reason: signal.aborted ? 'timed out' : String(error) })
  }
}

/** As much as the code needs; the rest of an answer is not read (spec/connectors#provider-calls). */
const ANSWER_MAX_BYTES = 4 * 1024

/** Names in a list, each deleted by a call of its own, and as many at once as a Worker has connections. */
export const MAX_LISTED = 60
const AT_ONCE = 6

/** Far more than the entries of `MAX_LISTED` files. */
const LIST_MAX_BYTES = 256 * 1024

/** Lists that one step reads to find an upload among other files. */
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
  /** The XML of a list, from its beginning or from where another one ended. */
  list(from: string | undefined): Promise<string>
  /** The elements with the name of a file, and with where the next list begins. */
  elements: { name: string; next: string }
  prefix: string
  remove(key: string): Promise<unknown>
}

/**
 * Deletes the uploads that a list names. Other files stay, whatever the provider answers; lists of them alone are passed
 * over. True: nothing is left.
 */
export async function removeListed({ list, elements, prefix, remove }: Removal): Promise<boolean> {
  let from: string | undefined
  for (let lists = 0; lists < MAX_LISTS; lists++) {
    const answer = await list(from)
    const keys = textsOf(answer, elements.name).filter((key) => key.startsWith(prefix) && isUploadKey(key))
    await removeAll(keys, remove)
    from = textsOf(answer, elements.next)[0]?.replaceAll('&amp;', '&')
    if (!from) return true
    // The next step lists from the beginning, where these are no longer.
    if (keys.length > 0) return false
  }
  throw new UploadFailure({ reason: 'too many other files' })
}

const textsOf = (xml: string, element: string) =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]+)</${element}>`, 'g'))].map(([, text = '']) => text)

/** One that cannot be deleted does not keep the others; where none of several can be, no more are tried. */
async function removeAll(keys: readonly string[], remove: Removal['remove']): Promise<void> {
  let failure: PromiseRejectedResult | undefined
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const results = await Promise.allSettled(keys.slice(at, at + AT_ONCE).map(remove))
    const failed = results.filter((result) => result.status === 'rejected')
    failure ??= failed[0]
    if (failed.length === results.length) break
  }
  if (failure) throw failure.reason
}

/** Both kinds of service answer XML with a code. The rest of it quotes the request with its signature. */
const codeIn = (answer: string) => /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1]

/** A path below an address that ends with a slash or without. */
export const addressBelow = (address: string, path: string) => `${address.replace(/\/+$/, '')}/${path}`
