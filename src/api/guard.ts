import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Env } from 'hono'
import { refuse } from '../contract/errors.ts'
import { Refused } from '../contract/refused.ts'

/** A router whose inputs are checked by their declarations; what does not fit is `guard.invalid_input` (contract 1.1). */
export function guardedRouter<E extends Env>(
  beforeRefusing?: (variables: E['Variables']) => Promise<unknown>,
) {
  return new OpenAPIHono<E>({
    defaultHook: async (result, c) => {
      if (result.success) return
      // A missing interaction wins over a wrong body.
      await beforeRefusing?.(c.var)
      throw invalidInput(result.error)
    },
  })
}

type Issue = { path: readonly PropertyKey[]; message: string }

/** Also for what is judged after the declaration was satisfied. */
export function invalidInput({
  issues,
  name = 'ZodError',
}: {
  issues: readonly Issue[]
  name?: string
}): Refused {
  const details = issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('\n')
  return new Refused({ ...refuse('guard.invalid_input', { issues, name }), details })
}

/** A body that must be there, as the declaration wants it. */
export const json = <T extends z.ZodType>(schema: T) =>
  ({ content: { 'application/json': { schema } }, required: true }) as const

/** An answer with a body, as the declaration wants it. */
export const answer = <T extends z.ZodType>(description: string, schema: T) =>
  ({ description, content: { 'application/json': { schema } } }) as const

export const ErrorBody = z
  .object({
    message: z.string(),
    code: z.string(),
    data: z.unknown().optional(),
    details: z.string().optional(),
  })
  .openapi('Error')

/** The refusals a call may answer with, for its declaration. */
export const refusals = <S extends number>(...statuses: S[]) =>
  // Each status was named by the caller: the record has just these keys.
  Object.fromEntries(
    statuses.map((status) => [status, answer('See the error catalogue', ErrorBody)]),
  ) as Record<S, ReturnType<typeof answer<typeof ErrorBody>>>
