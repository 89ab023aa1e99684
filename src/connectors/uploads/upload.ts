import type { StorageProvider } from '../../contract/settings.ts'
import { outboundProblem } from '../../domain/outbound-address.ts'
import { readBoundedBody } from '../bounded-body.ts'
import type { ConnectorContext } from '../connector-context.ts'

/** What every provider of storage for uploads is: a record of two functions. */

export type Upload = {
  /** Letters, digits and `/._-` alone (`domain/upload-key.ts`). */
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
export type ProviderProblem = { field: string; message: string }

export type UploadConnector<Name extends StorageProvider['provider']> = {
  /** Before it is stored, and again before it is used. */
  problem(
    provider: Extract<StorageProvider, { provider: Name }>,
    context: UploadReach,
  ): ProviderProblem | null
  /** Answers the address at which it is served; throws an UploadFailure. */
  put(
    provider: Extract<StorageProvider, { provider: Name }>,
    upload: Upload,
    context: UploadContext,
  ): Promise<string>
}
export type UploadReach = Pick<UploadContext, 'allowPrivateTargets' | 'assetBucket'>

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

/** PUTs to a provider. A redirect is a failure: it would carry content and signature to an address that was not configured. */
export async function putToProvider(
  url: string,
  headers: Record<string, string>,
  { content }: Upload,
  { fetch, timeout }: UploadContext,
): Promise<void> {
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, { method: 'PUT', headers, body: content, redirect: 'manual', signal })
    if (response.ok) return await response.body?.cancel()
    const answer = await readBoundedBody(response.body, ANSWER_MAX_BYTES)
    throw new UploadFailure({ status: response.status, error: codeIn(await answer.content.text()) })
  } catch (error) {
    if (error instanceof UploadFailure) throw error
    throw new UploadFailure({ reason: signal.aborted ? 'timed out' : String(error) })
  }
}

/** As much as the code needs; the rest of an answer is not read (spec/connectors#provider-calls). */
const ANSWER_MAX_BYTES = 4 * 1024

/** Both kinds of service answer XML with a code. The rest of it quotes the request with its signature. */
const codeIn = (answer: string) => /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1]

/** A path below an address that ends with a slash or without. */
export const addressBelow = (address: string, path: string) => `${address.replace(/\/+$/, '')}/${path}`
