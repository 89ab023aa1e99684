import { AsyncLocalStorage } from 'node:async_hooks'
import type { UnitOfWork } from './unit-of-work.ts'

/** What our callbacks inside the library need to know of the request they serve. */
export type ProviderRequest = {
  tenantId: string
  request: Request
  requestId: string
  ip: string | undefined
  work: UnitOfWork
  /** Epoch milliseconds. */
  now(): number
  /** For what does not decide the answer (design 5). */
  background(task: () => Promise<unknown>): void
}

const storage = new AsyncLocalStorage<ProviderRequest>()

export const withProviderRequest = <T>(request: ProviderRequest, run: () => T): T => storage.run(request, run)

export function providerRequest(): ProviderRequest {
  const request = storage.getStore()
  if (!request) throw new Error('The provider was called outside a request')
  return request
}
