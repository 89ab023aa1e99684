import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { isRevoked } from '../domain/revocation.ts'
import { sha256Base64Url } from '../storage/digest.ts'
import type { ModelRow } from '../storage/oidc-models.ts'
import type { ClientMetadataSource } from './clients.ts'
import { providerRequest } from './request-context.ts'

/**
 * The library's storage, on `oidc_model_instances`. Whoever holds the value of one of these holds what it stands
 * for, so the database knows only its SHA-256 (decision 25).
 */
const bearer = new Set([
  'Session',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
  'ClientCredentials',
  'PushedAuthorizationRequest',
])

/** A browser that sends the same refresh twice gets the same successor (decision 23). */
const REFRESH_LEEWAY_SECONDS = 10

/** What has been handed out in the name of a grant and ends with it. */
const grantedModels = ['AccessToken', 'RefreshToken', 'AuthorizationCode'] as const

/** Marks an id that is a digest already; only our own rows refer to a request that way. */
const DIGEST_PREFIX = 'sha256:'

export function createAdapter(modelName: string, clients: ClientMetadataSource): Adapter {
  const work = () => providerRequest().work

  async function idOf(value: string): Promise<string> {
    if (!bearer.has(modelName)) return value
    // A client that sends a digest instead of a value gets nowhere: only resuming looks a request up by our reference.
    const isReference = value.startsWith(DIGEST_PREFIX) && Provider.ctx?.oidc.route === 'resume'
    return isReference ? value.slice(DIGEST_PREFIX.length) : sha256Base64Url(value)
  }

  async function living(row: ModelRow | null, value?: string): Promise<AdapterPayload | undefined> {
    if (!row || (await isDead(row))) return undefined
    return { ...row.payload, ...consumption(row), ...(value === undefined ? {} : { jti: value }) }
  }

  /** Whoever ends a session at another host of its tenant, or by a call, has to name the issuer its applications know. */
  function whereMade(payload: AdapterPayload): AdapterPayload {
    if (modelName !== 'Session') return payload
    return { ...payload, issuer: `${new URL(providerRequest().request.url).origin}/oidc` }
  }

  async function isDead(row: ModelRow): Promise<boolean> {
    const since = revocableSince(row)
    if (since === undefined || !row.accountId) return false
    return isRevoked(await work().user(row.accountId), since)
  }

  return {
    async find(value) {
      if (modelName === 'Client') return clients.find(providerRequest().tenantId, value)
      return living(await work().read(modelName, await idOf(value)), value)
    },

    async findByUid(uid) {
      return living(await work().readByProperty(modelName, 'uid', uid))
    },

    async findByUserCode(userCode) {
      return living(await work().readByProperty(modelName, 'userCode', userCode))
    },

    async upsert(value, payload, expiresIn = 0) {
      const { jti, ...rest } = payload
      const write = {
        modelName,
        id: await idOf(value),
        payload: bearer.has(modelName) ? whereMade(rest) : await withoutBearers({ ...rest, jti }),
        expiresAt:
          payload.exp === undefined ? providerRequest().now() + expiresIn * 1000 : payload.exp * 1000,
      }
      if (modelName !== 'ReplayDetection') return work().write(write)
      // A proof is good for one request (RFC 9449 §11.1), and the library has only looked whether it was seen before.
      if (!(await work().claim(write))) throw new errors.InvalidDpopProof('DPoP proof JWT Replay detected')
    },

    async consume(value) {
      const id = await idOf(value)
      const leeway = modelName === 'RefreshToken' ? REFRESH_LEEWAY_SECONDS : 0
      if (await work().consume(modelName, id, leeway)) return

      // The library ignores what we answer, and someone else redeemed it first: nothing it stands for may live on.
      const row = await work().read(modelName, id)
      if (row?.grantId) revokeGrant(row.grantId)
      throw new errors.InvalidGrant('already consumed')
    },

    async destroy(value) {
      work().remove(modelName, await idOf(value))
    },

    async revokeByGrantId(grantId) {
      work().removeByGrant(modelName, grantId)
    },
  }

  function revokeGrant(grantId: string) {
    for (const granted of grantedModels) work().removeByGrant(granted, grantId)
    work().remove('Grant', grantId)
  }
}

/**
 * Epoch seconds a row is judged by when its user was revoked (decision 15). Sessions and grants only: whatever else
 * there is depends on one of them.
 */
function revocableSince({ modelName, payload }: ModelRow): number | undefined {
  if (modelName === 'Session') return numberOf(payload.loginTs)
  if (modelName === 'Grant') return numberOf(payload.iat)
  return undefined
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** The library reads `consumed` as "used before"; within the leeway a refresh token has not been. */
function consumption({ modelName, consumedAt }: ModelRow): { consumed?: number } {
  if (consumedAt === null) return {}
  const isInLeeway =
    modelName === 'RefreshToken' && consumedAt > providerRequest().now() - REFRESH_LEEWAY_SECONDS * 1000
  return isInLeeway ? {} : { consumed: Math.floor(consumedAt / 1000) }
}

/** An interaction names the session cookie and the pushed request it came from: neither may be read from its row. */
async function withoutBearers({ session, parJti, ...rest }: AdapterPayload): Promise<AdapterPayload> {
  const { cookie: _cookie, ...origin } = isRecord(session) ? session : {}
  return {
    ...rest,
    ...(isRecord(session) ? { session: origin } : {}),
    ...(typeof parJti === 'string' ? { parJti: await referTo(parJti) } : {}),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const referTo = async (value: string) =>
  value.startsWith(DIGEST_PREFIX) ? value : DIGEST_PREFIX + (await sha256Base64Url(value))
