import { type ErrorCode, type Refusal, refuse } from './errors.ts'

/** Carries a refusal from wherever it was found to the one place that answers it (`api/answer-errors.ts`). */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.name = 'Refused'
    this.refusal = refusal
  }
}

/** Throws when the value is a refusal, else hands it on. */
export function orRefuse<T>(value: T): Exclude<T, Refusal> {
  if (isRefusal(value)) throw new Refused(value)
  return value as Exclude<T, Refusal> // just proved
}

/** Throws the refusal of this code. */
export function refuseWith(code: ErrorCode, data?: Refusal['data'], status?: number): never {
  throw new Refused(refuse(code, data, status))
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refusal'
}
