import { loopbackHosts } from '../../../../src/domain/applications/redirect-uri.ts'
import type { ApplicationKind } from '../kinds.ts'

/**
 * The values of an application that its guide shows. No guide shows the secret: the code reads it from its
 * environment.
 */
export type GuideValues = {
  issuer: string
  clientId: string
  /** A registered redirect URI. */
  redirectUri: string
  /** The URL to which users return after signing out, or null if none is registered. */
  afterSignOut: string | null
  /** The indicator of the API that a machine or an agent calls. */
  resource: string
}

/** How to use one library with certain kinds of application (spec/console#application-guides). */
export type Guide = {
  id: string
  name: string
  kinds: readonly ApplicationKind[]
  /** The command that installs the library. */
  install?: string
  /** The code, by file name. */
  files: (values: GuideValues) => Readonly<Record<string, string>>
  /** The command that runs the code. */
  run?: (values: GuideValues) => string
  /** The URL where users start, or undefined if they don't open a browser. */
  opens?: (values: GuideValues) => string
  /** The port that the code listens on, or undefined if the code doesn't set one. */
  port?: (values: GuideValues) => string
  /** The URL of the library's documentation. */
  library: string
}

/**
 * Whether the issuer uses plain http. This happens only on the developer's machine, and libraries reject it unless they
 * are configured to allow it.
 */
export const usesPlainHttp = ({ issuer }: GuideValues): boolean => issuer.startsWith('http:')

/**
 * The path, port and scheme of the redirect URI, which the generated code configures. The server itself speaks plain
 * http. For an https URL, a proxy in front of it terminates TLS, listens on the port of that URL and forwards requests
 * to the server's own port.
 */
export const getRedirectPath = ({ redirectUri }: GuideValues): string => new URL(redirectUri).pathname
export const redirectUrlAt =
  (path: string) =>
  ({ redirectUri }: GuideValues): string =>
    new URL(path, redirectUri).href
export const getRedirectScheme = ({ redirectUri }: GuideValues): string =>
  redirectUri.slice(0, redirectUri.indexOf(':'))
export function getListeningPort({ redirectUri }: GuideValues): string {
  const { protocol, port } = new URL(redirectUri)
  return protocol === 'http:' ? port || '80' : '3000'
}

/**
 * Returns what the operator has to register to run the code on their own machine, or null if the redirect URI already
 * points there or the code sets no port.
 */
export function findLocalSetup({ port }: Guide, values: GuideValues) {
  // Machines and devices have no redirect URI.
  if (!port) return null
  const { protocol, hostname, origin, pathname } = new URL(values.redirectUri)
  if (protocol === 'http:' && loopbackHosts.has(hostname)) return null
  const localPort = port(values)
  return { port: localPort, origin, local: new URL(pathname, `http://localhost:${localPort}`).href }
}

/** The parts shared by all guides for servers that start the sign-in at a URL of their own. */
export const webServerGuide = {
  kinds: ['web'],
  opens: redirectUrlAt('/sign-in'),
  port: getListeningPort,
} as const satisfies Partial<Guide>

/** Returns the line with its newline if the condition holds, or an empty string. */
export const lineIf = (condition: unknown, line: string): string => (condition ? `${line}\n` : '')
