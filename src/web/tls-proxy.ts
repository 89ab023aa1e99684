/**
 * The request as the browser has sent it, where a proxy speaks TLS for this deployment (docs/operations/configuration.md): its address,
 * and with it the issuer and the attributes of cookies, says https. A proxy that also forwards plain http says so in
 * `X-Forwarded-Proto`; a client that says so harms only itself.
 */
export function asSentByBrowser(
  request: Request,
  { isBehindTlsProxy }: { isBehindTlsProxy: boolean },
): Request {
  if (!isBehindTlsProxy || request.headers.get('x-forwarded-proto') === 'http') return request
  const url = new URL(request.url)
  if (url.protocol !== 'http:') return request
  url.protocol = 'https:'
  return new Request(url, request)
}
