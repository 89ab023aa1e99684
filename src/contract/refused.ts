import { type ErrorCode, type Refusal, refuse } from './errors.ts'

/** Carries a refusal to `api/answer-errors.ts`, which sends the response. */
export class RefusalError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

/** Throws if the value is a refusal, and returns it otherwise. */
export function orRefuse<T>(value: T): Exclude<T, Refusal> {
  if (isRefusal(value)) throw new RefusalError(value)
  return value as Exclude<T, Refusal> // checked above
}

/** Throws the refusal with this code. */
export function refuseWith(code: ErrorCode, data?: Refusal['data'], status?: number): never {
  throw new RefusalError(refuse(code, data, status))
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refusal'
}
