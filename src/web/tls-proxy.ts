/**
 * Returns the request as the browser sent it if a proxy terminates TLS for this deployment (docs/operations/configuration.md): its
 * URL, and therefore the issuer and the attributes of cookies, uses https. A proxy that also forwards plain HTTP sets
 * `X-Forwarded-Proto`; a client that sets this header harms only itself.
 */
export function restoreBrowserRequest(
  request: Request,
  { isBehindTlsProxy }: { isBehindTlsProxy: boolean },
): Request {
  if (!isBehindTlsProxy || request.headers.get('x-forwarded-proto') === 'http') return request
  const url = new URL(request.url)
  if (url.protocol !== 'http:') return request
  url.protocol = 'https:'
  return new Request(url, request)
}
