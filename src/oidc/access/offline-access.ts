import { createHash } from 'node:crypto'
import { type Client, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import {
  type CustomClientMetadata,
  MAX_TOKEN_LIFETIME_SECONDS,
} from '../../contract/applications/applications.ts'
import {
  extendedExpiry,
  type OfflineLimits,
  offlineLimits,
} from '../../domain/applications/offline-access.ts'
import { isUnregistered } from '../applications/unregistered-clients.ts'
import { getProviderRequest } from '../request-context.ts'

/** Refresh tokens and grants that last as long as an application uses them (spec/provider#grants, ADR-0176). */

type RefreshToken = InstanceType<Provider['RefreshToken']>

/** Returns the limits of a client. The library passes the metadata of the application through unchanged. */
function clientOfflineLimits(client: Client): OfflineLimits {
  const { refreshTokenTtl, refreshTokenMaxTtl } = client as CustomClientMetadata
  return offlineLimits({
    refreshTokenTtl,
    refreshTokenMaxTtl,
    registeredBy: isUnregistered(client) ? 'nobody' : client.isDynamicallyRegistered ? 'itself' : 'operator',
    isBrowserOnly: client.applicationType === 'web' && client.clientAuthMethod === 'none',
  })
}

/** Returns the lifetime of a new refresh token, which ends with the maximum since its authorization at the latest. */
export const refreshTokenSeconds = (token: RefreshToken, client: Client): number => {
  const { idle, max } = clientOfflineLimits(client)
  return Math.max(1, Math.min(idle, authorizedAt(token) + max - nowSeconds()))
}

/** Returns when the first token of the family was issued, in epoch seconds. The library always sets it. */
const authorizedAt = ({ iiat = 0 }: RefreshToken) => iiat

/**
 * Lets refresh tokens and grants last as long as they are used. A token that was issued before the operator lowered the
 * maximum expires at the new one.
 */
export function extendOfflineAccess(provider: Provider): void {
  const { RefreshToken: tokens } = provider
  const find = tokens.find.bind(tokens)
  tokens.find = async (...args) => {
    const token: unknown = await find(...args)
    const { client } = Provider.ctx?.oidc ?? {}
    if (token instanceof tokens && client && client.clientId === token.clientId) {
      const endsAt = authorizedAt(token) + clientOfflineLimits(client).max
      token.exp = Math.min(token.exp ?? endsAt, endsAt)
    }
    return token as never
  }
  provider.on('grant.success', extendUsed)
}

/**
 * Extends the grant under which a refresh token was issued or used, and a token that was used without being rotated.
 */
function extendUsed({ oidc }: KoaContextWithOIDC): void {
  const { client } = oidc
  const { RefreshToken: token, Grant: grant } = oidc.entities
  if (!client || !token || !grant?.exp) return
  const { work } = getProviderRequest()
  const { idle, max } = clientOfflineLimits(client)
  const use = { endsAt: authorizedAt(token) + max, now: nowSeconds() }
  const grantExpiry = extendedExpiry({ ...use, expiresAt: grant.exp, idle: GRANT_IDLE_SECONDS })
  if (grantExpiry) work.extend('Grant', grant.jti, grantExpiry * 1000)
  // A token that this request has issued has its full lifetime and no `exp` of its own.
  const tokenExpiry = token.exp && extendedExpiry({ ...use, expiresAt: token.exp, idle })
  if (tokenExpiry) work.extend('RefreshToken', digestOf(token.jti), tokenExpiry * 1000)
}

/** A grant outlasts every unused refresh token under it. */
const GRANT_IDLE_SECONDS = MAX_TOKEN_LIFETIME_SECONDS

const digestOf = (value: string) => createHash('sha256').update(value).digest('base64url')

const nowSeconds = () => Math.floor(getProviderRequest().now() / 1000)

/**
 * Reports whether so much of a refresh token's lifetime has passed since it was issued that it has to be rotated
 * (spec/provider#refresh-token-rotation).
 */
export const isDueForRotation = ({ iat }: RefreshToken, client: Client): boolean =>
  iat !== undefined && nowSeconds() - iat >= ROTATED_AT * clientOfflineLimits(client).idle

const ROTATED_AT = 0.7
