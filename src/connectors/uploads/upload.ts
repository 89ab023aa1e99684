import type { R2Bucket } from '@cloudflare/workers-types'
import type { StorageProvider } from '../../contract/settings.ts'
import { outboundProblem } from '../../domain/outbound-address.ts'

/** The one contract of everything that keeps uploads. Read one and you have read them all. */

export type Upload = {
  /** Of letters, digits and `/._-` alone (`domain/upload-key.ts`). */
  key: string
  content: Uint8Array<ArrayBuffer>
  /** How it is served, wherever the provider serves it from. */
  headers: { contentType: string; contentDisposition: string; cacheControl: string }
}

/** How they reach the world. */
export type UploadContext = {
  fetch: (address: string, init: RequestInit) => Promise<Response>
  /** The binding `ASSET_BUCKET`, where there is one. */
  assetBucket?: R2Bucket | undefined
  now(): number
  /** Milliseconds a provider may take. */
  timeout: number
  /** Of the tenant (decision 18). */
  allowPrivateTargets: boolean
}

/** What is wrong with a provider's settings, and with which of them. */
export type ProviderProblem = { field: string; message: string }

export type UploadConnector<Name extends StorageProvider['provider']> = {
  /** Before it is stored, and again before it is used. */
  problem(provider: Extract<StorageProvider, { provider: Name }>, context: Reach): ProviderProblem | null
  /** Answers where it can be fetched from; throws an UploadFailure. */
  put(
    provider: Extract<StorageProvider, { provider: Name }>,
    upload: Upload,
    context: UploadContext,
  ): Promise<string>
}
export type Reach = Pick<UploadContext, 'allowPrivateTargets' | 'assetBucket'>

/** `detail` is for the log alone: it never holds a secret, nor a provider's own words beyond their code. */
export class UploadFailure extends Error {
  readonly detail: Record<string, unknown>

  constructor(detail: Record<string, unknown>) {
    super('The upload failed')
    this.name = 'UploadFailure'
    this.detail = detail
  }
}

/** Whether a server of somebody else may be called (decision 18). */
export function addressProblem(field: string, address: string, reach: Reach): ProviderProblem | null {
  const message = outboundProblem(address, reach)
  return message ? { field, message } : null
}

/** PUTs to a provider. A redirect is a failure: it would carry content and signature to an address nobody configured. */
export async function put(
  url: string,
  headers: Record<string, string>,
  { content }: Upload,
  { fetch, timeout }: UploadContext,
): Promise<void> {
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, { method: 'PUT', headers, body: content, redirect: 'manual', signal })
    const answer = await beginning(response)
    if (!response.ok) throw new UploadFailure({ status: response.status, error: codeIn(answer) })
  } catch (error) {
    if (error instanceof UploadFailure) throw error
    throw new UploadFailure({ reason: signal.aborted ? 'timed out' : String(error) })
  }
}

/** Both kinds of service answer XML with a code. The rest of it quotes the request, signature and all. */
const codeIn = (answer: string) => /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1]

/** As much as the code needs: nobody reads an endless answer. */
async function beginning({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value?.subarray(0, MOST_ANSWER_BYTES))
}
const MOST_ANSWER_BYTES = 4 * 1024

/** Behind an address that ends with a slash or without. */
export const below = (address: string, path: string) => `${address.replace(/\/+$/, '')}/${path}`
