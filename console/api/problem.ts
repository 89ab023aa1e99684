import { isRecord } from '../../src/contract/is-record.ts'

/**
 * The code of a problem that the console reports without a call, because no call can have this path
 * (`api-address.ts`).
 */
export const NOWHERE = 'nowhere'

/** The code of a fault in the console itself. */
export const CONSOLE_FAULT = 'console'

/** An error response of the management API (spec/errors#body), or a request without a response (`status` 0). */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly data: unknown
  readonly requestId: string | null

  constructor(answer: {
    status: number
    code: string
    message: string
    data?: unknown
    requestId?: string | null
  }) {
    super(answer.message)
    this.status = answer.status
    this.code = answer.code
    this.data = answer.data
    this.requestId = answer.requestId ?? null
  }

  /** The first problem of each field, by dotted path (`oidcClientMetadata.redirectUris.0`). */
  get fields(): Readonly<Record<string, string>> {
    const issues = isRecord(this.data) && Array.isArray(this.data.issues) ? this.data.issues : []
    const problems: Record<string, string> = {}
    for (const issue of issues) {
      if (!isRecord(issue) || typeof issue.message !== 'string') continue
      const path = Array.isArray(issue.path) ? issue.path.join('.') : ''
      problems[path] ??= issue.message
    }
    return problems
  }
}

/** Returns the problem with a field or with a part of it. */
export const findProblem = (fields: ApiProblem['fields'], field: string): string | undefined =>
  Object.entries(fields).find(([path]) => `${path}.`.startsWith(`${field}.`))?.[1]

/** Returns the problem that a call failed with. Any other failure is a fault in the console and keeps its message. */
export const toProblem = (failure: unknown): ApiProblem =>
  failure instanceof ApiProblem
    ? failure
    : new ApiProblem({ status: 500, code: CONSOLE_FAULT, message: String(failure) })
