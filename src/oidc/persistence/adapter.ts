import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { isRecord } from '../../contract/is-record.ts'
import { isRevoked, type ValidityTimes } from '../../domain/sessions/revocation.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { type ModelRow, REFERENCE_PREFIX } from '../../storage/interactions/oidc-models.ts'
import { isAssertion } from '../applications/client-assertions.ts'
import { providerRequest } from '../request-context.ts'
import { decideDevice } from '../sessions/device-decision.ts'
import { type SessionParts, storedSession } from '../sessions/stored-session.ts'
import { createPrefetch, type PrefetchParts } from './prefetch.ts'

/**
 * The models whose value is a bearer secret. The database stores only its SHA-256 (spec/provider#token-digests).
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

/** Pages: their requests name no value of a client's. */
const referringRoutes = new Set<string | undefined>(['resume', 'device_resume', 'code_verification'])

/** A client that uses a refresh token twice in this time gets the same successor (spec/provider#refresh-tokens). */
const REFRESH_LEEWAY_SECONDS = 10

/** The library's storage adapter, on the table `oidc_model_instances`. */
export function createAdapter(modelName: string, parts: PrefetchParts & SessionParts): Adapter {
  const prefetchOf = createPrefetch(parts)
  const work = () => providerRequest().work

  async function idOf(value: string): Promise<string> {
    if (!bearerModels.has(modelName)) return value
    // A client that sends a digest in place of a value finds nothing: only pages look up a request by our reference.
    const isReference = value.startsWith(REFERENCE_PREFIX) && referringRoutes.has(Provider.ctx?.oidc.route)
    return isReference ? value.slice(REFERENCE_PREFIX.length) : sha256Base64Url(value)
  }

  async function living(row: ModelRow | null, value?: string): Promise<AdapterPayload | undefined> {
    if (!row || hasEnded(row) || (await isDead(row))) return undefined
    if (row.payload.isHostCookie === true && isUnderOldName(row)) return undefined
    return { ...row.payload, ...consumption(row), ...(value === undefined ? {} : { jti: value }) }
  }

  /** A session that was made under the present name of its cookie counts under no other (spec/provider#cookies). */
  const isUnderOldName = (row: ModelRow) => row.modelName === 'Session' && providerRequest().isCarriedSession

  async function stored(value: string, payload: AdapterPayload, jti: string | undefined) {
    if (modelName === 'Session') return storedSession(parts, payload)
    return bearerModels.has(modelName) ? payload : withoutBearers({ ...payload, ...seen(value), jti })
  }

  /** The library drops from a grant what it does not know: how the user saw a client that is not registered. */
  function seen(id: string): AdapterPayload {
    const { seenClient } = (modelName === 'Grant' && work().cached(modelName, id)?.payload) || {}
    return seenClient === undefined ? {} : { seenClient }
  }

  async function isDead(row: ModelRow): Promise<boolean> {
    const standing = standingOfRow(row)
    if (!standing || !row.accountId) return false
    return isRevoked(await work().user(row.accountId), standing)
  }

  return {
    async find(value) {
      if (modelName === 'Client') return parts.clients.find(providerRequest().tenantId, value)
      // Whether a proof or an assertion was used before is decided by the batch that uses it.
      if (modelName === 'ReplayDetection') return undefined
      const id = await idOf(value)
      const cached = work().cached(modelName, id)
      if (cached !== undefined) return living(cached, value)
      const prefetch = await prefetchOf(modelName, value)
      return prefetch ? living(await work().read(modelName, id, prefetch), value) : undefined
    },

    async findByUid(uid) {
      return living(await work().readByProperty(modelName, 'uid', uid))
    },

    async findByUserCode(userCode) {
      const row = await work().readByProperty(modelName, 'userCode', userCode)
      return living(row, row ? REFERENCE_PREFIX + row.id : undefined)
    },

    async upsert(value, payload, expiresIn = 0) {
      const { jti, ...rest } = payload
      const write = {
        modelName,
        id: await idOf(value),
        payload: await stored(value, rest, jti),
        expiresAt:
          payload.exp === undefined ? providerRequest().now() + expiresIn * 1000 : payload.exp * 1000,
      }
      if (modelName === 'DeviceCode' && Provider.ctx?.oidc.route !== 'device_authorization') {
        return decideDevice(work(), write)
      }
      if (modelName !== 'ReplayDetection') return work().write(write)
      // A read may be repeated while its proof is valid, as at our other APIs (ADR-0156).
      if (Provider.ctx?.oidc.route === 'userinfo') return
      // Proofs and assertions are valid for one request (RFC 9449 §11.1, RFC 7523 §3), and the library has only read whether
      // they were used before.
      if (isAssertion(value)) {
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
        // A second use ends the whole grant (spec/provider#single-use).
        superseded: isPushed
          ? { error: new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used') }
          : { error: new errors.InvalidGrant('already consumed'), grantId: row?.grantId ?? undefined },
      })
    },

    async destroy(value) {
      work().remove(modelName, await idOf(value))
    },

    async revokeByGrantId(grantId) {
      work().removeByGrant(modelName, grantId)
    },
  }
}

/**
 * What a revocation of the user is compared with (spec/provider#revocation). Sessions and grants only: all other models
 * depend on one of them.
 */
function standingOfRow({ modelName, payload }: ModelRow): ValidityTimes | undefined {
  if (modelName !== 'Session' && modelName !== 'Grant') return undefined
  const madeAt = numberOf(modelName === 'Session' ? payload.loginTs : payload.iat)
  return madeAt === undefined ? undefined : { madeAt, exemptedAt: numberOf(payload.exemptedAt) }
}

/** An interaction is resumed once. Its row stays until its hour is over. */
const hasEnded = ({ modelName, consumedAt }: ModelRow) => modelName === 'Interaction' && consumedAt !== null

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** The library reads `consumed` as "used before". Within the leeway a refresh token counts as unused. */
function consumption({ modelName, consumedAt }: ModelRow): { consumed?: number } {
  if (consumedAt === null) return {}
  const isInLeeway =
    modelName === 'RefreshToken' && consumedAt > providerRequest().now() - REFRESH_LEEWAY_SECONDS * 1000
  return isInLeeway ? {} : { consumed: Math.floor(consumedAt / 1000) }
}

/** An interaction's payload contains the session cookie and the pushed request's value: neither is stored in clear. */
async function withoutBearers({ session, parJti, ...rest }: AdapterPayload): Promise<AdapterPayload> {
  const { cookie: _cookie, ...origin } = isRecord(session) ? session : {}
  return {
    ...rest,
    ...(isRecord(session) ? { session: origin } : {}),
    ...(typeof parJti === 'string' ? { parJti: await referTo(parJti) } : {}),
  }
}

const referTo = async (value: string) =>
  value.startsWith(REFERENCE_PREFIX) ? value : REFERENCE_PREFIX + (await sha256Base64Url(value))
