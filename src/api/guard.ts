import { createRoute, OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi'
import type { Env } from 'hono'
import { ErrorBodySchema } from '../contract/errors.schema.ts'
import { invalidInput } from '../contract/invalid-input.ts'

/**
 * Creates a router that validates inputs against the schemas declared for each call and rejects invalid ones with
 * `guard.invalid_input` (spec/errors#invalid-input).
 */
export function guardedRouter<E extends Env>(
  beforeRefusing?: (variables: E['Variables']) => Promise<unknown>,
) {
  return new OpenAPIHono<E>({
    defaultHook: async (result, c) => {
      if (result.success) return
      // A missing interaction is reported before an invalid body (spec/interaction#call-order).
      await beforeRefusing?.(c.var)
      throw invalidInput(result.error)
    },
  })
}

/** Declares a required JSON body. */
export const jsonBody = <T extends z.ZodType>(schema: T) =>
  ({ content: { 'application/json': { schema } }, required: true }) as const

/** Declares an optional JSON body. A missing body is treated as `{}`. */
export const optionalJsonBody = <T extends z.ZodType>(schema: T) =>
  ({ content: { 'application/json': { schema } }, required: false }) as const

/** Declares a response with a JSON body. */
export const jsonResponse = <T extends z.ZodType>(description: string, schema: T) =>
  ({ description, content: { 'application/json': { schema } } }) as const

/**
 * The return type lists every status, although each call declares only some. The compiler only needs to know that all
 * errors have the same body.
 */
const declaredRefusals = (...statuses: RefusalStatus[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, jsonResponse('See the error catalogue', ErrorBodySchema)]),
  ) as Record<RefusalStatus, ReturnType<typeof jsonResponse<typeof ErrorBodySchema>>>

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 501 | 503

type Call<Method, Path, Request, Responses> = {
  method: Method
  path: Path
  /** The name of the call in generated clients (spec/management#openapi). It never changes. */
  operationId: string
  summary: string
  description: string
  request?: Request
  responses: Responses
  /** The error statuses that this call may return in addition to the common ones. */
  refusals?: readonly RefusalStatus[]
}

/**
 * Returns a function that declares the calls of one API, which share a tag and a security scheme. Every call may return
 * the error statuses in `always`. Calls with a JSON body may also return those in `withBody`.
 */
export const createCallDeclarer =
  (
    common: Pick<RouteConfig, 'tags' | 'security'>,
    { always, withBody = [] }: { always: readonly RefusalStatus[]; withBody?: readonly RefusalStatus[] },
  ) =>
  <
    Method extends RouteConfig['method'],
    Path extends string,
    Responses extends RouteConfig['responses'],
    Request extends NonNullable<RouteConfig['request']> = Record<never, never>,
  >({
    method,
    path,
    operationId,
    summary,
    description,
    request,
    responses,
    refusals = [],
  }: Call<Method, Path, Request, Responses>) => {
    const isJson = request?.body?.required && request.body.content['application/json']
    return createRoute({
      method,
      path,
      ...common,
      operationId,
      summary,
      description,
      request: (request ?? {}) as Request,
      responses: { ...responses, ...declaredRefusals(...always, ...(isJson ? withBody : []), ...refusals) },
    })
  }
