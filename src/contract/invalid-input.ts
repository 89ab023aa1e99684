import { type Refusal, refuse } from './errors.ts'
import { describeIssue, type Issue } from './issue-sentences.ts'
import { RefusalError } from './refused.ts'

type Issues = { issues: readonly Issue[]; name?: string }

/**
 * Returns the error for an invalid body or query (spec/errors#invalid-input). The issues come from a schema or from
 * rules that a schema cannot express.
 */
export const invalidInput = (issues: Issues): RefusalError => new RefusalError(describeIssues(issues))

/** Returns the error for a body that matches its schema but conflicts with the tenant's other settings. */
export const unprocessableInput = (issues: readonly Issue[]): Refusal =>
  describeIssues({ issues: issues.map((issue) => ({ code: 'custom', ...issue })) }, 422)

function describeIssues({ issues, name = 'ZodError' }: Issues, status?: 422): Refusal {
  const reported = issues.flatMap(reportUnknownKeys)
  const details = reported.map(describeIssue).join('\n')
  return { ...refuse('guard.invalid_input', { issues: reported, name }, status), details }
}

/** Reports only the unknown keys if a value would otherwise match one alternative of a union. */
function reportUnknownKeys(issue: Issue): Issue[] {
  const form = issue.errors?.find((issues) => issues.every(({ code }) => code === 'unrecognized_keys'))
  return form?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue]
}
