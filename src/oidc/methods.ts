/** The methods of an endpoint that allows cross-origin requests, including OPTIONS for preflights. */
const SHARED_DOCUMENT = 'GET, HEAD, OPTIONS'
const SHARED_CALL = 'POST, OPTIONS'

/**
 * The library's endpoints that are enabled, with their methods. Some requests may also be sent by POST
 * (spec/provider#endpoints).
 */
const allowedMethods: Partial<Record<string, string>> = {
  '/.well-known/openid-configuration': SHARED_DOCUMENT,
  '/.well-known/oauth-authorization-server': SHARED_DOCUMENT,
  '/jwks': SHARED_DOCUMENT,
  '/auth': 'GET, HEAD, POST',
  '/token': SHARED_CALL,
  '/token/introspection': SHARED_CALL,
  '/token/revocation': SHARED_CALL,
  '/me': 'GET, HEAD, POST, OPTIONS',
  '/request': SHARED_CALL,
  '/device': 'GET, HEAD, POST',
  '/device/auth': SHARED_CALL,
  '/session/end': 'GET, HEAD, POST',
  '/session/end/confirm': 'POST',
  '/session/end/success': 'GET, HEAD',
}

/** Returns the methods that a path below /oidc allows, or undefined for an unknown path. Paths are case-sensitive. */
export const allowedMethodsAt = (path: string): string | undefined =>
  allowedMethods[path] ?? (/^\/(?:auth|device)\/[^/]+$/.test(path) ? 'GET, HEAD' : undefined)
