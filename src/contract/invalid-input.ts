import { type Refusal, refuse } from './errors.ts'
import { RefusalError } from './refused.ts'

type Issue = {
  path: readonly PropertyKey[]
  message: string
  code?: string | undefined
  /** Of a value that fits none of several forms: the issues of each form. */
  errors?: readonly (readonly Issue[])[] | undefined
}
type Issues = { issues: readonly Issue[]; name?: string }

/** The refusal of a body or a query (spec/errors#invalid-input), for a schema's error and for rules beyond the schema. */
export const invalidInput = (issues: Issues): RefusalError => new RefusalError(describeIssues(issues))

/** The refusal of a body that has the declared form but does not fit the tenant's other settings. */
export const unprocessableInput = (issues: readonly Issue[]): Refusal =>
  describeIssues({ issues: issues.map((issue) => ({ code: 'custom', ...issue })) }, 422)

function describeIssues({ issues, name = 'ZodError' }: Issues, status?: 422): Refusal {
  const named = issues.flatMap(namingKeys)
  const details = named.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('\n')
  return { ...refuse('guard.invalid_input', { issues: named, name }, status), details }
}

/** A value that has one of several forms, but for keys that are unknown: the keys are the problem. */
function namingKeys(issue: Issue): Issue[] {
  const form = issue.errors?.find((issues) => issues.every(({ code }) => code === 'unrecognized_keys'))
  return form?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue]
}
