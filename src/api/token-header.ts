import type { Context } from 'hono'
import { refuseWith } from '../contract/refused.ts'

export type TokenScheme = 'bearer' | 'dpop'

/**
 * Reads the access token from `Authorization`. Also sets the challenge header for error responses; `detail` is part of
 * the challenge. Callers remove the header once the token is accepted (RFC 6750 §3, RFC 9449 §7.1).
 */
export function readToken(c: Context, detail: string): { scheme: TokenScheme; token: string } {
  setChallenge(c, 'Bearer', detail)
  const header = c.req.header('authorization')
  if (!header) refuseWith('auth.authorization_header_missing')
  const [name = '', token = ''] = header.split(/ +/, 2)
  const scheme = name.toLowerCase()
  if (scheme !== 'bearer' && scheme !== 'dpop') {
    return refuseWith('auth.authorization_token_type_not_supported', { supportedTypes: ['Bearer', 'DPoP'] })
  }
  setChallenge(c, scheme === 'dpop' ? 'DPoP' : 'Bearer', `error="invalid_token", ${detail}`)
  return { scheme, token }
}

export const setChallenge = (c: Context, scheme: 'Bearer' | 'DPoP', detail: string) =>
  c.header('WWW-Authenticate', `${scheme} ${detail}`)
