import { serialize } from 'hono/utils/cookie'
import type { Dependencies } from '../../application/dependencies.ts'
import type { NativeReturn } from '../../application/social/native-callback.ts'
import {
  cookieAttributes,
  NATIVE_RETURN_COOKIE_PREFIX,
  NATIVE_RETURN_SECONDS,
  pathCookieName,
} from '../../contract/cookie-names.ts'
import { isRecord } from '../../contract/is-record.ts'
import type { SealLabel } from '../../storage/seal.ts'
import { unsealCookie } from '../cookies.ts'

/**
 * Returns users to an app that opened the system browser because the provider does not work inside the app
 * (spec/pages#landing). The app's URL is stored in a sealed cookie and is valid only with the same sign-in's state.
 */
const nameOf = (connectorId: string) => NATIVE_RETURN_COOKIE_PREFIX + connectorId
const label = (tenantId: string, connectorId: string): SealLabel => `social-return/${tenantId}/${connectorId}`

/** Returns a `Set-Cookie` header that stores the app's URL. */
export async function storeNativeReturn(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, connectorId, url }: { tenantId: string; connectorId: string; url: URL },
  destination: NativeReturn,
): Promise<string> {
  const sealed = await seals.seal(label(tenantId, connectorId), destination)
  return setReturnCookie(connectorId, sealed, url, NATIVE_RETURN_SECONDS)
}

export async function unsealNativeReturn(
  dependencies: Pick<Dependencies, 'seals'>,
  { tenantId, connectorId, request }: { tenantId: string; connectorId: string; request: Request },
): Promise<NativeReturn | null> {
  const cookie = { name: nameOf(connectorId), label: label(tenantId, connectorId) }
  const value = await unsealCookie(dependencies, request, cookie)
  return isNativeReturn(value) ? value : null
}

const isNativeReturn = (value: unknown): value is NativeReturn =>
  isRecord(value) && typeof value.state === 'string' && typeof value.callback === 'string'

/** Returns a `Set-Cookie` header that deletes the app's URL. */
export const deleteNativeReturn = (connectorId: string, url: URL): string =>
  setReturnCookie(connectorId, '', url, 0)

const setReturnCookie = (connectorId: string, value: string, url: URL, maxAge: number): string =>
  serialize(pathCookieName(nameOf(connectorId), url), value, {
    ...cookieAttributes(url),
    path: '/callback',
    maxAge,
  })
