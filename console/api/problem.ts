import { isRecord } from '../../src/contract/is-record.ts'

/** The code of an address that names nothing, without a call (`api-address.ts`). */
export const NOWHERE = 'nowhere'

/** The code of a mistake of the console's own. */
export const CONSOLE_FAULT = 'console'

/** A refusal of the management API (spec/errors#body), or a request that got no answer (`status` 0). */
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

  /** The first problem of each field, by its path with dots (`oidcClientMetadata.redirectUris.0`). */
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

/** What is wrong with a field or with a part of it. */
export const findProblem = (fields: ApiProblem['fields'], field: string): string | undefined =>
  Object.entries(fields).find(([path]) => `${path}.`.startsWith(`${field}.`))?.[1]

/** What a call has failed with; anything else is a mistake of the console's own, and is said as it is. */
export const toProblem = (failure: unknown): ApiProblem =>
  failure instanceof ApiProblem
    ? failure
    : new ApiProblem({ status: 500, code: CONSOLE_FAULT, message: String(failure) })
