import { type ErrorCode, type Refusal, refuse } from './errors.ts'

/** An error that carries an error response to `api/answer-errors.ts`, which sends it. */
export class RefusalError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

/** Throws a value if it is an error response, and returns it otherwise. */
export function orRefuse<T>(value: T): Exclude<T, Refusal> {
  if (isRefusal(value)) throw new RefusalError(value)
  return value as Exclude<T, Refusal> // the type was checked above
}

/** Throws the error response with this code. */
export function refuseWith(code: ErrorCode, data?: Refusal['data'], status?: number): never {
  throw new RefusalError(refuse(code, data, status))
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refusal'
}
