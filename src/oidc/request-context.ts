import { AsyncLocalStorage } from 'node:async_hooks'
import type { RememberedBrowser } from '../domain/sessions/remembered-accounts.ts'
import type { FinishedAuthorization } from '../storage/interactions/conclusions.ts'
import type { UnitOfWork } from './persistence/unit-of-work.ts'

/** The HTTP request during which the library calls our functions. */
export type ProviderRequest = {
  tenantId: string
  request: Request
  requestId: string
  ip: string | undefined
  work: UnitOfWork
  /** The accounts that the browser remembers, according to its cookie alone (spec/accounts#remembered-account). */
  remembered: Promise<RememberedBrowser>
  /** The accounts that the browser is to remember from now on, if this request changes them. */
  newlyRemembered?: RememberedBrowser
  /** The secret with which the client has authenticated, if it has one (spec/management#two-secrets). */
  clientSecret?: string
  /**
   * Set if a submission finishes the authorization of its interaction. Its batch contains the writes of this request
   * if the outcome is a redirect to the application with a response (spec/interaction#direct-response).
   */
  submission?: { isAuthorized?: true; finished?: FinishedAuthorization | null }
  /** True if the session cookie has its old name (spec/provider#cookies). */
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
