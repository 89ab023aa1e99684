import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Env } from 'hono'
import { invalidInput } from '../contract/invalid-input.ts'

/** A router that checks inputs by their declarations and refuses with `guard.invalid_input` (spec/errors#invalid-input). */
export function guardedRouter<E extends Env>(
  beforeRefusing?: (variables: E['Variables']) => Promise<unknown>,
) {
  return new OpenAPIHono<E>({
    defaultHook: async (result, c) => {
      if (result.success) return
      // A missing interaction wins over an invalid body (spec/interaction#call-order).
      await beforeRefusing?.(c.var)
      throw invalidInput(result.error)
    },
  })
}

/** A required JSON body, for a declaration. */
export const jsonBody = <T extends z.ZodType>(schema: T) =>
  ({ content: { 'application/json': { schema } }, required: true }) as const

/** A JSON body that may be missing, which counts as `{}`. */
export const optionalJsonBody = <T extends z.ZodType>(schema: T) =>
  ({ content: { 'application/json': { schema } }, required: false }) as const

/** An answer with a JSON body, for a declaration. */
export const jsonAnswer = <T extends z.ZodType>(description: string, schema: T) =>
  ({ description, content: { 'application/json': { schema } } }) as const

export const ErrorBodySchema = z
  .object({
    message: z.string(),
    code: z.string(),
    data: z.unknown().optional(),
    details: z.string().optional(),
  })
  .meta({ id: 'Error' })

/** The refusals that a call may answer, for its declaration. */
export const declaredRefusals = <S extends number>(...statuses: S[]) =>
  // The record has exactly the statuses of the caller as keys.
  Object.fromEntries(
    statuses.map((status) => [status, jsonAnswer('See the error catalogue', ErrorBodySchema)]),
  ) as Record<S, ReturnType<typeof jsonAnswer<typeof ErrorBodySchema>>>
