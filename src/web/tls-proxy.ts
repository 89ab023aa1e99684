/**
 * Restores the request that the browser sent, if a proxy terminates TLS for this deployment
 * (docs/operations/configuration.md). The request's URL then uses https, so the issuer and the cookie attributes are
 * derived from an https URL. A proxy that also forwards plain HTTP sets `X-Forwarded-Proto`. A client that forges this
 * header harms only itself.
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
