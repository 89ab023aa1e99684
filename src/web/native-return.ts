import { parse, serialize } from 'hono/utils/cookie'
import { z } from 'zod'
import type { Dependencies } from '../application/dependencies.ts'

/**
 * A visitor whom an app has sent to the system's browser, because a provider refuses to be shown inside an app: after the
 * provider the way leads back into the app, by its own link. The link is remembered in this browser, sealed, for as
 * long as a provider may take, and only for the state it was given with.
 */
const NativeReturn = z.object({ state: z.string(), callback: z.string() })
export type NativeReturn = z.infer<typeof NativeReturn>

const SECONDS = 10 * 60

const cookieName = (connectorId: string) => `_social_return_${connectorId}`
const label = (tenantId: string, connectorId: string) => `social-return/${tenantId}/${connectorId}`

/** As a `Set-Cookie` header. */
export async function keepNativeReturn(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, connectorId, url }: { tenantId: string; connectorId: string; url: string },
  kept: NativeReturn,
): Promise<string> {
  const sealed = await seals.seal(label(tenantId, connectorId), kept)
  return serialize(cookieName(connectorId), sealed, { ...attributes(url), maxAge: SECONDS })
}

export async function openNativeReturn(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, connectorId, request }: { tenantId: string; connectorId: string; request: Request },
): Promise<NativeReturn | null> {
  const sealed = parse(request.headers.get('cookie') ?? '')[cookieName(connectorId)]
  const opened = sealed ? await seals.open(label(tenantId, connectorId), sealed) : null
  return NativeReturn.safeParse(opened).data ?? null
}

/** As a `Set-Cookie` header. */
export const forgetNativeReturn = (connectorId: string, url: string): string =>
  serialize(cookieName(connectorId), '', { ...attributes(url), maxAge: 0 })

const attributes = (url: string) => ({
  path: '/callback',
  httpOnly: true,
  sameSite: 'Lax' as const,
  secure: new URL(url).protocol === 'https:',
})
