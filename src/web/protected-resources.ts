import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { RequestFacts } from '../application/request.ts'
import {
  metadataPath,
  type ProtectedPath,
  protectedResources,
} from '../contract/applications/protected-resources.ts'

/** The documents are cached for as long as the discovery document. */
const CACHE_CONTROL = 'public, max-age=60, stale-if-error=86400'

/** Serves the metadata of our own APIs (RFC 9728, spec/provider#protected-resources). */
export function protectedResourceRoutes() {
  const routes = new Hono<{ Variables: RequestFacts }>()
  for (const [path, { name, scopes }] of Object.entries(protectedResources)) {
    const address = metadataPath(path as ProtectedPath)
    routes.use(address, cors({ origin: '*', allowMethods: ['GET', 'HEAD'], maxAge: 3600 }))
    routes.get(address, (c) => {
      const { origin } = new URL(c.req.url)
      const metadata = {
        resource: origin + path,
        authorization_servers: [`${origin}/oidc`],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: name,
        resource_documentation: `${origin}/api/docs`,
      }
      return c.json(metadata, 200, { 'Cache-Control': CACHE_CONTROL })
    })
  }
  return routes
}
