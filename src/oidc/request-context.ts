import { AsyncLocalStorage } from 'node:async_hooks'
import type { UnitOfWork } from './persistence/unit-of-work.ts'
import type { ReadBrowser } from './sessions/remembered-browser.ts'

/** The HTTP request during which the library calls our functions. */
export type ProviderRequest = {
  tenantId: string
  request: Request
  requestId: string
  ip: string | undefined
  work: UnitOfWork
  /**
   * What the browser remembers, read while the library reads its own rows. Null for requests that begin no interaction,
   * and if it could not be read.
   */
  remembered: Promise<ReadBrowser | null>
  /** The user whom this request signs out of this browser. */
  signedOutUserId?: string | undefined
  /** Whether the session cookie has its old name (spec/provider#cookies). */
  isCarriedSession: boolean
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
  /** Runs a task after the response, for work on which the response does not depend (spec/storage#background-work). */
  background(task: () => Promise<unknown>): void
}

const storage = new AsyncLocalStorage<ProviderRequest>()

export const runWithProviderRequest = <T>(request: ProviderRequest, run: () => T): T =>
  storage.run(request, run)

export function getProviderRequest(): ProviderRequest {
  const request = storage.getStore()
  if (!request) throw new Error('The provider was called outside a request')
  return request
}
