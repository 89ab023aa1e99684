import { serialize } from 'hono/utils/cookie'
import type { Dependencies } from '../../application/dependencies.ts'
import type { NativeReturn } from '../../application/social/native-callback.ts'
import { cookieAttributes, NATIVE_RETURN_COOKIE_PREFIX, pathCookieName } from '../../contract/cookie-names.ts'
import { isRecord } from '../../contract/is-record.ts'
import type { Label } from '../../storage/seal.ts'
import { openSealedCookie } from '../cookies.ts'

/**
 * Leads users back into an app that has sent them to the browser of the system, because the provider refuses to be shown inside an
 * app (spec/pages#landing). The app's link is kept in a sealed cookie, and counts for the state it was given with.
 */
const SECONDS = 10 * 60 // ours: as long as a sign-in at a provider may take

const nameOf = (connectorId: string) => NATIVE_RETURN_COOKIE_PREFIX + connectorId
const label = (tenantId: string, connectorId: string): Label => `social-return/${tenantId}/${connectorId}`

/** As a `Set-Cookie` header. */
export async function keepNativeReturn(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, connectorId, url }: { tenantId: string; connectorId: string; url: URL },
  destination: NativeReturn,
): Promise<string> {
  const sealed = await seals.seal(label(tenantId, connectorId), destination)
  return setReturnCookie(connectorId, sealed, url, SECONDS)
}

export async function openNativeReturn(
  dependencies: Pick<Dependencies, 'seals'>,
  { tenantId, connectorId, request }: { tenantId: string; connectorId: string; request: Request },
): Promise<NativeReturn | null> {
  const cookie = { name: nameOf(connectorId), label: label(tenantId, connectorId) }
  const opened = await openSealedCookie(dependencies, request, cookie)
  return isNativeReturn(opened) ? opened : null
}

const isNativeReturn = (value: unknown): value is NativeReturn =>
  isRecord(value) && typeof value.state === 'string' && typeof value.callback === 'string'

/** As a `Set-Cookie` header. */
export const forgetNativeReturn = (connectorId: string, url: URL): string =>
  setReturnCookie(connectorId, '', url, 0)

const setReturnCookie = (connectorId: string, value: string, url: URL, maxAge: number): string =>
  serialize(pathCookieName(nameOf(connectorId), url), value, {
    ...cookieAttributes(url),
    path: '/callback',
    maxAge,
  })
