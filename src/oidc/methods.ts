/** Of an address that programs of other origins may call: preflights are answered, too. */
const SHARED_DOCUMENT = 'GET, HEAD, OPTIONS'
const SHARED_CALL = 'POST, OPTIONS'

/** Those of the library that are switched on, and the posted requests (spec/provider#endpoints). */
const methods: Partial<Record<string, string>> = {
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

/** What an address below /oidc can be asked for, letter by letter; undefined for an unknown one. */
export const methodsAt = (path: string): string | undefined =>
  methods[path] ?? (/^\/(?:auth|device)\/[^/]+$/.test(path) ? 'GET, HEAD' : undefined)
