import { loopbacks } from '../../../../src/domain/applications/redirect-uri.ts'
import type { Kind } from '../kinds.ts'

/** What a guide shows of the application that it is for. The secret is in none: the code reads it from its environment. */
export type GuideValues = {
  issuer: string
  clientId: string
  /** One that is registered. */
  redirectUri: string
  /** Where users return after signing out; null where none is registered. */
  afterSignOut: string | null
  /** The indicator of the API that a machine or an agent calls. */
  resource: string
}

/** How one library is used with an application of certain kinds (spec/console#application-guides). */
export type Guide = {
  id: string
  name: string
  kinds: readonly Kind[]
  /** At a terminal, before anything else. */
  install?: string
  /** Their code, by their names. */
  files: (values: GuideValues) => Readonly<Record<string, string>>
  /** At a terminal, to try it. */
  run?: (values: GuideValues) => string
  /** The address at which users begin, where a browser is to be opened. */
  opens?: (values: GuideValues) => string
  /** The port at which the code listens, where it says one itself. */
  port?: (values: GuideValues) => string
  /** The documentation of the library. */
  library: string
}

/** Libraries refuse plain http unless they are told; an issuer has it on the developer's machine alone. */
export const usesPlainHttp = ({ issuer }: GuideValues): boolean => issuer.startsWith('http:')

/**
 * The path, the port and the scheme of the redirect URI: what the application itself has to be set to. A server speaks plain http.
 * For an https address something before it does TLS, listens on the port of that address, and leads to the server's own.
 */
export const redirectPath = ({ redirectUri }: GuideValues): string => new URL(redirectUri).pathname
export const addressAt =
  (path: string) =>
  ({ redirectUri }: GuideValues): string =>
    new URL(path, redirectUri).href
export const redirectScheme = ({ redirectUri }: GuideValues): string =>
  redirectUri.slice(0, redirectUri.indexOf(':'))
export function listeningPort({ redirectUri }: GuideValues): string {
  const { protocol, port } = new URL(redirectUri)
  return protocol === 'http:' ? port || '80' : '3000'
}

/** What to register to run the code on one's own machine; null where the redirect URI leads to it, or the code says no port. */
export function findLocalSetup({ port }: Guide, values: GuideValues) {
  // Machines and devices have no redirect URI.
  if (!port) return null
  const { protocol, hostname, origin, pathname } = new URL(values.redirectUri)
  if (protocol === 'http:' && loopbacks.has(hostname)) return null
  const localPort = port(values)
  return { port: localPort, origin, local: new URL(pathname, `http://localhost:${localPort}`).href }
}

/** Of a server that begins a sign-in at its own address. */
export const webServer = {
  kinds: ['web'],
  opens: addressAt('/sign-in'),
  port: listeningPort,
} as const satisfies Partial<Guide>

/** The line, with its end, if there is something to say. */
export const lineIf = (condition: unknown, line: string): string => (condition ? `${line}\n` : '')
