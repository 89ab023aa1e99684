import type { ApplicationKind } from './kinds.ts'

/**
 * Returns the initial URLs after signing out. A single-page or web application has its start page; without one, users
 * who sign out stay on a page of the provider. A native application has the same URLs as for the response, with a path
 * of their own. Other kinds don't sign users out.
 */
export function defaultAfterSignOut(kind: ApplicationKind, redirectUris: readonly string[]): string[] {
  if (kind === 'native') return redirectUris.flatMap(toSignedOut)
  const [uri = ''] = redirectUris
  const url = URL.parse(uri)
  return hasStartPage(kind) && url && /^https?:$/.test(url.protocol) ? [`${url.origin}/`] : []
}

const toSignedOut = (uri: string): string[] => {
  const changed = uri.replace(/\/callback$/, '/signed-out')
  return changed === uri ? [] : [changed]
}

const hasStartPage = (kind: ApplicationKind): boolean => kind === 'spa' || kind === 'web'

/** Tells whether users of this kind of application return to it after signing out. */
export const returnsAfterSignOut = (kind: ApplicationKind): boolean => hasStartPage(kind) || kind === 'native'
