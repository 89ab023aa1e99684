import { createRoute, OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
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

const ErrorBodySchema = z
  .object({
    message: z.string(),
    code: z.string(),
    data: z.unknown().optional(),
    details: z.string().optional(),
  })
  .meta({ id: 'Error' })

/** Its type names every status: the compiler needs to know only that a refusal has this body. */
const declaredRefusals = (...statuses: RefusalStatus[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, jsonAnswer('See the error catalogue', ErrorBodySchema)]),
  ) as Record<RefusalStatus, ReturnType<typeof jsonAnswer<typeof ErrorBodySchema>>>

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 501 | 503

type Call<Method, Path, Request, Answers> = {
  method: Method
  path: Path
  summary: string
  description: string
  request?: Request
  answers: Answers
  /** Statuses beyond those of every call, and of every call with a required JSON body. */
  refusals?: readonly RefusalStatus[]
}

/** How the calls of an API with the same tag are declared, each by what is its own. Every one may be refused with `always`. */
export const callsOf =
  (
    common: Pick<RouteConfig, 'tags' | 'security'>,
    { always, withBody = [] }: { always: readonly RefusalStatus[]; withBody?: readonly RefusalStatus[] },
  ) =>
  <
    Method extends RouteConfig['method'],
    Path extends string,
    Answers extends RouteConfig['responses'],
    Request extends NonNullable<RouteConfig['request']> = Record<never, never>,
  >({
    method,
    path,
    summary,
    description,
    request,
    answers,
    refusals = [],
  }: Call<Method, Path, Request, Answers>) => {
    const isJson = request?.body?.required && request.body.content['application/json']
    return createRoute({
      method,
      path,
      ...common,
      summary,
      description,
      request: (request ?? {}) as Request,
      responses: { ...answers, ...declaredRefusals(...always, ...(isJson ? withBody : []), ...refusals) },
    })
  }
