import { Hono } from 'hono'
import type { RequestFacts } from '../application/request.ts'
import { runInBackground } from '../storage/background.ts'
import { OIDC_PATH, REGISTRATION_PATH } from './mount.ts'
import { AUTHORIZATION_MAX_BYTES, LOGOUT_MAX_BYTES, limitRequestSizes } from './posted-requests.ts'
import type { ProviderDependencies } from './provider-ports.ts'
import type { ProviderServer } from './provider-server.ts'

/** Serves the OpenID Provider under /oidc. */
export function oidcRoutes(
  dependencies: ProviderDependencies,
  server: Pick<ProviderServer, 'receive' | 'answer'>,
): Hono<{ Variables: RequestFacts }> {
  const bounded = limitRequestSizes({
    [`${OIDC_PATH}/auth`]: AUTHORIZATION_MAX_BYTES,
    [`${OIDC_PATH}/session/end`]: LOGOUT_MAX_BYTES,
  })
  const routes = new Hono<{ Variables: RequestFacts }>().route('/', bounded)
  // The pattern also matches the path itself.
  routes.use(`${REGISTRATION_PATH}/*`, async (c, next) => {
    const { enabled } = (await dependencies.tenantSettings.get(c.var.tenantId)).clientRegistration
    if (!enabled) return next()
    const { registrationRoutes } = await import('./applications/registration-routes.ts')
    return registrationRoutes(dependencies, REGISTRATION_PATH).fetch(c.req.raw, c.var, c.executionCtx)
  })
  return routes.all(`${OIDC_PATH}/*`, async (c) => {
    const background = (task: () => Promise<unknown>) => runInBackground(c.executionCtx, c.var, task)
    return server.answer(await server.receive(c.req.raw, { ...c.var, background }))
  })
}
