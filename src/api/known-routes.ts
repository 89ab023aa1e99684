import type { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { refuseWith } from '../contract/refused.ts'

/** The part of a call's declaration that middleware needs before the call is validated. */
export type DeclaredCall = { requiresBody?: boolean }

type Call = { method: string; path: string; requiresBody: boolean }

/**
 * Responds to an unknown path with 404, to an unsupported method with 405, and to OPTIONS with the supported methods
 * (spec/management#conventions). The known routes are those declared for OpenAPI. Runs before all other middleware.
 */
export function rejectUnknownRoutes(
  api: Pick<OpenAPIHono, 'openAPIRegistry'>,
  basePath: string,
): MiddlewareHandler<{ Variables: DeclaredCall }> {
  let table: TrieRouter<Call> | undefined

  return async (c, next) => {
    // The route table is built on the first request because routes are mounted after this middleware.
    table ??= readTable(api, basePath)
    const calls = callsAt(table, c.req.path)
    if (calls.length === 0) refuseWith('entity.not_found')
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const call = calls.find((candidate) => candidate.method === method)
    if (call) {
      c.set('requiresBody', call.requiresBody)
      return next()
    }
    const methods = methodsOf(calls)
    c.header('Allow', methods.join(', '))
    if (c.req.method === 'OPTIONS') return c.body(null, 200)
    refuseWith('request.invalid_input', { allow: methods }, 405)
  }
}

function readTable(
  { openAPIRegistry }: Pick<OpenAPIHono, 'openAPIRegistry'>,
  basePath: string,
): TrieRouter<Call> {
  const table = new TrieRouter<Call>()
  for (const definition of openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const { method, path, request } = definition.route
    const pattern = (basePath + path.replaceAll(/\{(\w+)\}/g, ':$1')).replace(/(.)\/$/, '$1')
    table.add('ALL', pattern, {
      method: method.toUpperCase(),
      path: pattern,
      requiresBody: request?.body?.required === true,
    })
  }
  return table
}

/**
 * `/users/import` also matches `/users/{id}`, but no user has the id `import`. If a path is declared literally, only
 * the calls declared for that exact path apply.
 */
function callsAt(table: TrieRouter<Call>, path: string): Call[] {
  const [matches] = table.match('ALL', path)
  const calls = matches.map(([call]) => call)
  const exactMatches = calls.filter((call) => call.path === path)
  return exactMatches.length > 0 ? exactMatches : calls
}

function methodsOf(calls: readonly Call[]): string[] {
  const methods = new Set(calls.map(({ method }) => method))
  return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']
}
