import type { MiddlewareHandler } from 'hono'
import { refuseWith } from '../contract/refused.ts'
import { tenantNamedBy } from '../domain/hosts.ts'
import type { AppVariables, Services } from '../env.ts'

/**
 * What every request is known by, in logs, errors and rows; first of all by the tenant whose host it came to. A host that
 * is nobody's is no issuer (decision 20): there is nothing there.
 */
export function requestFacts({
  settings,
  tenants,
}: Pick<Services, 'settings' | 'tenants'>): MiddlewareHandler<{ Variables: AppVariables }> {
  const circumstances = { hosts: settings.hosts, isDevelopment: settings.environment === 'development' }

  return async (c, next) => {
    if (!c.var.requestId) {
      c.set('requestId', crypto.randomUUID())
      // At once for who is refused here, and again for an answer that came about by itself.
      c.header('X-Request-Id', c.var.requestId)
      c.set('ip', c.req.header('cf-connecting-ip'))
      const tenantId = tenantNamedBy(new URL(c.req.url), circumstances)
      if (tenantId === null || !(await tenants.has(tenantId))) refuseWith('entity.not_found')
      c.set('tenantId', tenantId)
    }
    await next()
    c.header('X-Request-Id', c.var.requestId)
  }
}
