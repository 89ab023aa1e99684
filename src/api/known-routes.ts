import type { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { refuseWith } from '../contract/refused.ts'

/**
 * Before any other middleware: an unknown path is 404, an unknown method of a known path 405, and OPTIONS answers the
 * methods (spec/management#conventions). The routes are those of the OpenAPI declarations.
 */
export function knownRoutesOnly(
  api: Pick<OpenAPIHono, 'openAPIRegistry'>,
  basePath: string,
): MiddlewareHandler {
  let table: TrieRouter<string> | undefined

  return async (c, next) => {
    // With the first request: routes are mounted after this middleware.
    table ??= readTable(api, basePath)
    const methods = methodsOf(table, c.req.path)
    if (methods.length === 0) refuseWith('entity.not_found')
    if (methods.includes(c.req.method) && c.req.method !== 'OPTIONS') return next()

    c.header('Allow', methods.join(', '))
    if (c.req.method === 'OPTIONS') return c.body(null, 200)
    refuseWith('request.invalid_input', { allow: methods }, 405)
  }
}

function readTable(
  { openAPIRegistry }: Pick<OpenAPIHono, 'openAPIRegistry'>,
  basePath: string,
): TrieRouter<string> {
  const table = new TrieRouter<string>()
  for (const definition of openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const { method, path } = definition.route
    const pattern = basePath + path.replaceAll(/\{(\w+)\}/g, ':$1')
    table.add('ALL', pattern.replace(/(.)\/$/, '$1'), method.toUpperCase())
  }
  return table
}

function methodsOf(table: TrieRouter<string>, path: string): string[] {
  const [matches] = table.match('ALL', path)
  const methods = new Set(matches.map(([method]) => method))
  if (methods.size === 0) return []
  return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']
}
