import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { isRecord } from '../../contract/is-record.ts'
import { DEVICE_GRANT } from './clients.ts'

/**
 * Changes the library's error `invalid_request` to `unauthorized_client` if the application may not use the requested
 * grant (RFC 6749 §5.2).
 */
export function correctForbiddenGrantErrors(provider: Provider): void {
  const rename = (ctx: KoaContextWithOIDC, error: unknown) => {
    if (!(error instanceof errors.InvalidRequest) || !isForbidden(ctx) || !isRecord(ctx.body)) return
    // The new error code also appears on the dashboard, which counts failed requests by error code.
    Object.assign(error, { error: UNAUTHORIZED })
    ctx.body.error = UNAUTHORIZED
  }
  provider.on('grant.error', rename)
  provider.on('device_authorization.error', rename)
}

const UNAUTHORIZED = 'unauthorized_client'

function isForbidden({ oidc: { route, client, params } }: KoaContextWithOIDC): boolean {
  const grant = route === 'device_authorization' ? DEVICE_GRANT : params?.grant_type
  return client !== undefined && typeof grant === 'string' && !client.grantTypeAllowed(grant)
}
