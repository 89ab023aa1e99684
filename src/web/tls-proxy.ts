/**
 * Restores the request as the browser sent it, if a proxy terminates TLS for this deployment
 * (docs/operations/configuration.md). The request's URL uses https, and so do the issuer and the cookie
 * attributes derived from it. A proxy that also forwards plain HTTP sets `X-Forwarded-Proto`; a client that
 * forges this header harms only itself.
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
