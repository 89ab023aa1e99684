import { isRecord } from '../../src/contract/is-record.ts'

/**
 * The code of the problem that the console reports, without calling the API, if a path is not valid for a call
 * (`api-address.ts`).
 */
export const INVALID_PATH_CODE = 'nowhere'

/** The code of an error in the console itself. */
export const CONSOLE_ERROR_CODE = 'console'

/**
 * An error response of the management API (spec/errors#body), or a request that got no response (`status` 0).
 */
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

/** Returns the problem with a field or with any part of the field. */
export const findProblem = (fields: ApiProblem['fields'], field: string): string | undefined =>
  findEntry(fields, field)?.[1]

/** Like `findProblem`, for a field that shows several values as one text: names the value that has the problem. */
export function findNamedProblem(fields: ApiProblem['fields'], field: string): string | undefined {
  const [path, message] = findEntry(fields, field) ?? []
  return path === undefined || path === field ? message : `\`${path.slice(field.length + 1)}\`: ${message}`
}

const findEntry = (fields: ApiProblem['fields'], field: string) =>
  Object.entries(fields).find(([path]) => `${path}.`.startsWith(`${field}.`))

/**
 * Converts a failure to a problem. A failure that didn't come from an API call is an error in the console and keeps
 * its message.
 */
export const toProblem = (failure: unknown): ApiProblem =>
  failure instanceof ApiProblem
    ? failure
    : new ApiProblem({ status: 500, code: CONSOLE_ERROR_CODE, message: String(failure) })
