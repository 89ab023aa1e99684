import { serialize } from 'hono/utils/cookie'
import type { Dependencies } from '../../application/dependencies.ts'
import type { NativeReturn } from '../../application/social/native-callback.ts'
import { NATIVE_RETURN_COOKIE_PREFIX, pathCookie } from '../../contract/cookie-names.ts'
import { isRecord } from '../../contract/is-record.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import type { Label } from '../../storage/seal.ts'

/**
 * Leads users back into an app that has sent them to the browser of the system, because the provider refuses to be shown inside an
 * app (spec/pages#landing). The app's link is kept in a sealed cookie, and counts for the state it was given with.
 */
const SECONDS = 10 * 60 // ours: as long as a sign-in at a provider may take

const nameOf = (connectorId: string) => NATIVE_RETURN_COOKIE_PREFIX + connectorId
const cookieName = (connectorId: string, url: string) => pathCookie(nameOf(connectorId), new URL(url))
const label = (tenantId: string, connectorId: string): Label => `social-return/${tenantId}/${connectorId}`

/** As a `Set-Cookie` header. */
export async function keepNativeReturn(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, connectorId, url }: { tenantId: string; connectorId: string; url: string },
  kept: NativeReturn,
): Promise<string> {
  const sealed = await seals.seal(label(tenantId, connectorId), kept)
  return serialize(cookieName(connectorId, url), sealed, { ...attributes(url), maxAge: SECONDS })
}

export async function openNativeReturn(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, connectorId, request }: { tenantId: string; connectorId: string; request: Request },
): Promise<NativeReturn | null> {
  const sealed = requestCookies(request)[nameOf(connectorId)]
  const opened = sealed ? await seals.open(label(tenantId, connectorId), sealed) : null
  return isNativeReturn(opened) ? opened : null
}

const isNativeReturn = (value: unknown): value is NativeReturn =>
  isRecord(value) && typeof value.state === 'string' && typeof value.callback === 'string'

/** As a `Set-Cookie` header. */
export const forgetNativeReturn = (connectorId: string, url: string): string =>
  serialize(cookieName(connectorId, url), '', { ...attributes(url), maxAge: 0 })

const attributes = (url: string) => ({
  path: '/callback',
  httpOnly: true,
  sameSite: 'Lax' as const,
  secure: new URL(url).protocol === 'https:',
})
