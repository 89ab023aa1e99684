import { refuse } from './errors.ts'
import { Refused } from './refused.ts'

type Issue = { path: readonly PropertyKey[]; message: string }
type Issues = { issues: readonly Issue[]; name?: string }

/** The refusal of a body or a query (spec/errors#invalid-input), for a schema's error and for rules beyond the schema. */
export function invalidInput({ issues, name = 'ZodError' }: Issues): Refused {
  const details = issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('\n')
  return new Refused({ ...refuse('guard.invalid_input', { issues, name }), details })
}
