import { Hono } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { withSchemaLibrary } from '../../contract/late-schemas.ts'
import type { InProcessApi } from '../in-process.ts'

/** The account centre, loaded by the first request for it (ADR-0059): most visits of an isolate are sign-ins. */
export function lateAccountRoutes(dependencies: Dependencies, worker: InProcessApi) {
  let loaded: ReturnType<typeof load> | undefined
  return new Hono<{ Variables: RequestFacts }>().all('/account/*', async (c) => {
    // A failed load is not kept: the next request tries again.
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    const facts = { ...c.var, onAudited: (keys: readonly string[]) => c.set('audited', keys) }
    return (await loaded).fetch(c.req.raw, facts, c.executionCtx)
  })

  async function load() {
    const { accountRoutes } = await withSchemaLibrary(() => import('./routes.ts'))
    return accountRoutes(dependencies, worker)
  }
}
