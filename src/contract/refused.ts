import { type ErrorCode, type Refusal, refuse } from './errors.ts'

/** An exception that contains an error response. `api/answer-errors.ts` sends the response. */
export class RefusalError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

/** Throws a value if it is an error response, and returns it otherwise. */
export function throwIfRefused<T>(value: T): Exclude<T, Refusal> {
  if (isRefusal(value)) throw new RefusalError(value)
  return value as Exclude<T, Refusal> // The cast is safe, because only an error response has passed the check above.
}

/** Throws the error response with this code. */
export function refuseWith(code: ErrorCode, data?: Refusal['data'], status?: number): never {
  throw new RefusalError(refuse(code, data, status))
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refusal'
}
