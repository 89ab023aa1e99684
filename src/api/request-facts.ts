import type { MiddlewareHandler } from 'hono'
import { DEFAULT_TENANT } from '../contract/product.ts'
import { refuseWith } from '../contract/refused.ts'
import type { AppVariables, Settings } from '../env.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * What every request is known by, in logs, errors and rows. A host that is none of ours is nobody's issuer
 * (decision 20): where hosts are configured, others are not found.
 */
export const requestFacts =
  ({
    hosts,
    environment,
  }: Pick<Settings, 'hosts' | 'environment'>): MiddlewareHandler<{ Variables: AppVariables }> =>
  async (c, next) => {
    if (!c.var.requestId) {
      c.set('requestId', crypto.randomUUID())
      c.set('tenantId', DEFAULT_TENANT)
      c.set('ip', c.req.header('cf-connecting-ip'))
    }
    const { host, hostname } = new URL(c.req.url)
    const isOurs =
      hosts.length === 0 || hosts.includes(host) || (environment === 'development' && LOOPBACK.has(hostname))
    if (!isOurs) refuseWith('entity.not_found')
    await next()
    c.header('X-Request-Id', c.var.requestId)
  }
