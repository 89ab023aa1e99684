import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { isRecord } from '../../contract/is-record.ts'
import { isRevoked, type ValidityTimes } from '../../domain/sessions/revocation.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { isGrantedModel, type ModelRow, REFERENCE_PREFIX } from '../../storage/interactions/oidc-models.ts'
import { isAssertionReplayKey } from '../applications/client-assertions.ts'
import { getProviderRequest } from '../request-context.ts'
import { recordDeviceDecision } from '../sessions/device-decision.ts'
import { type SessionDependencies, toStoredSession } from '../sessions/stored-session.ts'
import { createPrefetch, type PrefetchDependencies } from './prefetch.ts'

/**
 * The models whose ids are bearer secrets. Their ids are stored only as SHA-256 digests (spec/provider#token-digests).
 */
const bearerModels = new Set([
  'Session',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
  'ClientCredentials',
  'PushedAuthorizationRequest',
  'DeviceCode',
])

/** The routes of pages. No page request contains a secret that a client holds. */
const referringRoutes = new Set<string | undefined>(['resume', 'device_resume', 'code_verification'])

/**
 * The time for which a refresh token can be used again to obtain the same successor, in seconds
 * (spec/provider#refresh-tokens).
 */
const REFRESH_LEEWAY_SECONDS = 10

/** Creates the library's storage adapter, which uses the table `oidc_model_instances`. */
export function createAdapter(modelName: string, parts: PrefetchDependencies & SessionDependencies): Adapter {
  const prefetchOf = createPrefetch(parts)
  const work = () => getProviderRequest().work

  async function idOf(value: string): Promise<string> {
    if (!bearerModels.has(modelName)) return value
    // Only pages may look up a row by our internal reference. A client that sends a digest instead of the secret
    // therefore finds nothing.
    const isReference = value.startsWith(REFERENCE_PREFIX) && referringRoutes.has(Provider.ctx?.oidc.route)
    return isReference ? value.slice(REFERENCE_PREFIX.length) : sha256Base64Url(value)
  }

  async function toPayload(row: ModelRow | null, value?: string): Promise<AdapterPayload | undefined> {
    if (!row || hasEnded(row) || (await isRevokedRow(row)) || (await isWithoutGrant(row))) return undefined
    if (row.payload.isHostCookie === true && isUnderOldName(row)) return undefined
    return { ...row.payload, ...consumption(row), ...(value === undefined ? {} : { jti: value }) }
  }

  /**
   * Reports whether a session was read from a cookie with the old name. A session that began under the current cookie
   * name is not accepted from such a cookie (spec/provider#cookies).
   */
  const isUnderOldName = (row: ModelRow) =>
    row.modelName === 'Session' && getProviderRequest().isCarriedSession

  async function toStoredPayload(value: string, payload: AdapterPayload, jti: string | undefined) {
    if (modelName === 'Session') return toStoredSession(parts, payload)
    return bearerModels.has(modelName) ? payload : withoutBearers({ ...payload, ...seenClientOf(value), jti })
  }

  /**
   * Keeps the unregistered client's description that the user saw. The library drops properties of a grant that it does
   * not know.
   */
  function seenClientOf(id: string): AdapterPayload {
    const { seenClient } = (modelName === 'Grant' && work().cached(modelName, id)?.payload) || {}
    return seenClient === undefined ? {} : { seenClient }
  }

  async function isRevokedRow(row: ModelRow): Promise<boolean> {
    const standing = standingOfRow(row)
    if (!standing || !row.accountId) return false
    return isRevoked(await work().user(row.accountId), standing)
  }

  /** Reports whether a code or token has lost its grant. The grant was read together with the row. */
  const isWithoutGrant = async ({ modelName, grantId }: ModelRow) =>
    isGrantedModel(modelName) && (grantId === null || (await work().read('Grant', grantId)) === null)

  return {
    async find(value) {
      if (modelName === 'Client') return parts.clients.find(getProviderRequest().tenantId, value)
      // Reuse of a proof or assertion is detected by the batch that claims it.
      if (modelName === 'ReplayDetection') return undefined
      const id = await idOf(value)
      const cached = work().cached(modelName, id)
      if (cached !== undefined) return toPayload(cached, value)
      const prefetch = await prefetchOf(modelName, value)
      return prefetch ? toPayload(await work().read(modelName, id, prefetch), value) : undefined
    },

    async findByUid(uid) {
      return toPayload(await work().readByProperty(modelName, 'uid', uid))
    },

    async findByUserCode(userCode) {
      const row = await work().readByProperty(modelName, 'userCode', userCode)
      return toPayload(row, row ? REFERENCE_PREFIX + row.id : undefined)
    },

    async upsert(value, payload, expiresIn = 0) {
      const { jti, ...rest } = payload
      const write = {
        modelName,
        id: await idOf(value),
        payload: await toStoredPayload(value, rest, jti),
        expiresAt:
          payload.exp === undefined ? getProviderRequest().now() + expiresIn * 1000 : payload.exp * 1000,
      }
      if (modelName === 'DeviceCode' && Provider.ctx?.oidc.route !== 'device_authorization') {
        return recordDeviceDecision(work(), write)
      }
      if (modelName !== 'ReplayDetection') return work().write(write)
      // Reads may reuse a DPoP proof while it is valid, as in our other APIs (ADR-0156).
      if (Provider.ctx?.oidc.route === 'userinfo') return
      // A proof or assertion is valid for one request (RFC 9449 §11.1, RFC 7523 §3). The library only looks for an
      // earlier use, so concurrent uses are rejected here.
      if (isAssertionReplayKey(value)) {
        const superseded = {
          error: new errors.InvalidClientAuth('client assertion tokens must only be used once'),
        }
        return work().claim({ ...write, id: `assertion-${write.id}` }, superseded)
      }
      return work().claim(write, { error: new errors.InvalidDpopProof('DPoP proof JWT Replay detected') })
    },

    async consume(value) {
      const id = await idOf(value)
      const row = await work().read(modelName, id)
      const isPushed = modelName === 'PushedAuthorizationRequest'
      work().consume(modelName, id, {
        ...(modelName === 'RefreshToken' && { leewaySeconds: REFRESH_LEEWAY_SECONDS }),
        // A second use of a code revokes the whole grant (spec/provider#single-use).
        superseded: isPushed
          ? { error: new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used') }
          : { error: new errors.InvalidGrant('already consumed'), grantId: row?.grantId ?? undefined },
      })
    },

    async destroy(value) {
      work().remove(modelName, await idOf(value))
    },

    // The library deletes the grant, too, and no code or token is valid without it.
    async revokeByGrantId() {},
  }
}

/**
 * Returns the sign-in and exemption times with which a revocation of the user is compared (spec/provider#revocation).
 * Only sessions and grants have these times, because all other models depend on one of them.
 */
function standingOfRow({ modelName, payload }: ModelRow): ValidityTimes | undefined {
  if (modelName !== 'Session' && modelName !== 'Grant') return undefined
  const madeAt = numberOf(modelName === 'Session' ? payload.loginTs : payload.iat)
  return madeAt === undefined ? undefined : { madeAt, exemptedAt: numberOf(payload.exemptedAt) }
}

/**
 * Reports whether an interaction has ended. An interaction can be resumed only once, but its row is kept until it
 * expires.
 */
const hasEnded = ({ modelName, consumedAt }: ModelRow) => modelName === 'Interaction' && consumedAt !== null

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/**
 * Returns the time at which a row was consumed, in epoch seconds. Returns no time for a refresh token that may still be
 * reused, because to the library any value of `consumed` means that the token has been used.
 */
function consumption({ modelName, consumedAt }: ModelRow): { consumed?: number } {
  if (consumedAt === null) return {}
  const isInLeeway =
    modelName === 'RefreshToken' && consumedAt > getProviderRequest().now() - REFRESH_LEEWAY_SECONDS * 1000
  return isInLeeway ? {} : { consumed: Math.floor(consumedAt / 1000) }
}

/**
 * Removes bearer secrets, which must not be stored in plain text: an interaction's payload contains the session cookie
 * and the id of the pushed request.
 */
async function withoutBearers({ session, parJti, ...rest }: AdapterPayload): Promise<AdapterPayload> {
  const { cookie: _cookie, ...origin } = isRecord(session) ? session : {}
  return {
    ...rest,
    ...(isRecord(session) ? { session: origin } : {}),
    ...(typeof parJti === 'string' ? { parJti: await toReference(parJti) } : {}),
  }
}

const toReference = async (value: string) =>
  value.startsWith(REFERENCE_PREFIX) ? value : REFERENCE_PREFIX + (await sha256Base64Url(value))
