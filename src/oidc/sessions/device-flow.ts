import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { createAttemptLimiter } from '../../application/attempts.ts'
import { DEVICE_PATH, type DeviceRequest } from '../../contract/sessions/device.ts'
import { nonEmptyText } from '../../domain/place.ts'
import type { Database } from '../../storage/database.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { POLL_INTERVAL_SECONDS, recordDevicePoll } from '../../storage/sessions/device-polls.ts'
import type { ClientLimitDependencies } from '../applications/client-authentication.ts'
import { DEVICE_GRANT } from '../applications/clients.ts'
import { OIDC_PATH } from '../mount.ts'
import { getProviderRequest } from '../request-context.ts'

/** The error for a session or network that has entered too many unknown codes. */
export class TooManyDeviceAttempts extends errors.OIDCProviderError {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super(429, 'temporarily_unavailable')
    this.error_description = 'too many unknown codes'
    this.retryAfter = retryAfter
  }
}

/**
 * Limits how many unknown codes can be entered. Each attempt is counted before the code is looked up, so that
 * concurrent attempts cannot exceed the limit. It is refunded if the code belongs to a device.
 */
export function limitDeviceCodes(
  provider: Provider,
  { db, environment, limits }: ClientLimitDependencies,
): void {
  const { DeviceCode } = provider
  const original = DeviceCode.findByUserCode

  DeviceCode.findByUserCode = async function find(this: typeof DeviceCode, ...args) {
    const { tenantId, ip, now } = getProviderRequest()
    const session = Provider.ctx?.oidc.session?.uid ?? ''
    const attempts = createAttemptLimiter(db, tenantId, { limits: await limits(), environment, now: now() })
    const consumed = await attempts.consume([
      { limit: 'deviceCodeTriesPerNetwork', ip },
      { limit: 'deviceCodeTries', id: session },
    ])
    const retryAfter = attempts.retryAfter(consumed)
    if (retryAfter !== null) throw new TooManyDeviceAttempts(retryAfter)
    const deviceCode = await original.apply(this, args)
    if (deviceCode) await attempts.refund(consumed)
    return deviceCode
  }
}

type DeviceContext = Pick<KoaContextWithOIDC, 'path' | 'method' | 'body' | 'URL'> & { querystring: string }

/**
 * Prevents the library from submitting the code in the URL. The page only prefills it, because the user first has to
 * compare it with the code on the device (RFC 8628 §5.4).
 */
export function hideCodeFromLibrary(ctx: DeviceContext): void {
  if (ctx.path === DEVICE_PATH) ctx.querystring = ''
}

/**
 * Adds the parts that the library's responses lack: the short URL, the polling interval, and the error for a device
 * that polls too often.
 */
export async function completeDeviceResponse(
  db: Database,
  ctx: DeviceContext & Partial<KoaContextWithOIDC>,
): Promise<void> {
  const body = ctx.body as Record<string, unknown> | undefined
  if (ctx.oidc?.route === 'device_authorization' && typeof body?.user_code === 'string') {
    const address = ctx.URL.origin + DEVICE_PATH
    Object.assign(body, {
      verification_uri: address,
      verification_uri_complete: `${address}?user_code=${body.user_code}`,
      interval: POLL_INTERVAL_SECONDS,
    })
  }
  const { grant_type: grant, device_code: code } = ctx.oidc?.params ?? {}
  if (grant !== DEVICE_GRANT || body?.error !== 'authorization_pending') return
  const { tenantId, now } = getProviderRequest()
  const key = { tenantId, modelName: 'DeviceCode', id: await sha256Base64Url(String(code)) }
  if (!(await recordDevicePoll(db, key, now()))) return
  ctx.body = { error: 'slow_down', error_description: 'the device polls too often' }
}

/**
 * Reports whether the user still has to decide about the device. The consent page asks this after every sign-in, also
 * for applications that need no consent otherwise (ADR-0172).
 */
export const awaitsDeviceDecision = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.entities.DeviceCode !== undefined && !oidc.result?.consent

/** Returns the request of the device that the consent page describes, if there is one. */
export function deviceRequest({ oidc }: KoaContextWithOIDC): DeviceRequest | undefined {
  const { userCode, deviceInfo } = oidc.entities.DeviceCode ?? {}
  if (userCode === undefined || deviceInfo === undefined) return undefined
  return {
    code: `${userCode.slice(0, 4)}-${userCode.slice(4)}`,
    at: Number(deviceInfo.seenAt),
    userAgent: nonEmptyText(deviceInfo.userAgent),
    country: nonEmptyText(deviceInfo.country),
    city: nonEmptyText(deviceInfo.city),
  }
}

/**
 * Reports whether the user chose to continue with another account (`client/account/device.tsx`). To the library, any
 * value means confirmation.
 */
export const choosesAnotherAccount = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.route === 'code_verification' && oidc.body?.confirm === 'other'

const pageRoutes = new Set<string | undefined>(['code_verification', 'device_resume'])

/**
 * Reports whether a form was submitted without its page's session, for example from another site. The library then
 * fails while it shows the page again.
 */
export const lacksDeviceSession = ({ oidc }: Partial<KoaContextWithOIDC>): boolean =>
  pageRoutes.has(oidc?.route) && Reflect.get(oidc?.session ?? {}, 'new') === true

export function restartDeviceFlow(ctx: Pick<KoaContextWithOIDC, 'redirect' | 'remove' | 'status'>): void {
  getProviderRequest().work.discard()
  ctx.remove('Set-Cookie')
  ctx.redirect(OIDC_PATH + DEVICE_PATH)
  ctx.status = 303
}
