import { Hono } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { lazy } from '../../contract/lazy.ts'
import type { InProcessApi } from '../in-process.ts'

/**
 * Serves the account centre. The module is loaded on the first request for one of its pages (ADR-0059), because most
 * requests to an isolate are sign-ins.
 */
export function lazyAccountRoutes(dependencies: Dependencies, worker: InProcessApi) {
  const routes = lazy(async () => {
    const { accountRoutes } = await import('./routes.ts')
    return accountRoutes(dependencies, worker)
  })
  return new Hono<{ Variables: RequestFacts }>().all('/account/*', async (c) => {
    const facts = { ...c.var, onAudited: (keys: readonly string[]) => c.set('audited', keys) }
    return (await routes()).fetch(c.req.raw, facts, c.executionCtx)
  })
}
