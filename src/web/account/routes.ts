import { Hono } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { InProcessApi } from '../in-process.ts'
import { type AccountEnv, answerAccountError, askedBy, formOf, refusedPage } from './account-request.ts'
import { answerAccountForm } from './answer-form.ts'
import { formGuard } from './form-guard.ts'
import { otherRoutes } from './other-routes.ts'
import { centreGuard, linkGuard } from './page-guards.ts'
import { accountPages } from './pages.ts'
import { showAccountPage } from './show-page.ts'

/** The pages under `/account` (spec/account-centre). `inside` is this Worker. */
export function accountRoutes(dependencies: Dependencies, inside: InProcessApi): Hono<AccountEnv> {
  const routes = new Hono<AccountEnv>()
    .use(centreGuard(dependencies))
    .use(...formGuard((c, status) => refusedPage(dependencies, c, status)))
    .route('/', otherRoutes(dependencies, inside))
  for (const path of Object.keys(accountPages)) {
    routes.use(path, linkGuard(dependencies))
    routes.get(path, (c) => showAccountPage(dependencies, askedBy(c)))
    routes.post(path, async (c) => answerAccountForm(dependencies, await formOf(c)))
  }
  return routes
    .all('*', (c) => refusedPage(dependencies, c, c.req.path in accountPages ? 405 : 404))
    .onError((error, c) => answerAccountError(dependencies, c, error))
}
