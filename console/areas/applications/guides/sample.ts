import { loopbackHosts } from '../../../../src/domain/applications/redirect-uri.ts'
import type { ApplicationKind } from '../kinds.ts'
import { exampleApi, fillIn, type Replacement } from './fill-in.ts'

/** The contents of a folder below `samples`, as its `sample.json` describes them (samples/README.md). */
export type Sample = {
  name: string
  /** The kinds of application, `api` for code that protects an API, or `webhook` for code that receives messages. */
  kinds: readonly (ApplicationKind | 'api' | 'webhook')[]
  setup?: string
  install?: string
  files: readonly string[]
  run?: string
  /** The path at which users start. */
  opens?: string
  library: string
  /** The URLs in the files, which the guide replaces by those of the application. */
  values?: { redirectUri?: string; afterSignOut?: string }
  /** True if the library determines the path of the redirect URI. */
  fixedPath?: boolean
  /** True if the library reads the path of a route as a pattern. */
  patternPaths?: boolean
  executed: boolean
}

/**
 * The values of an application or an API that its guides show. No guide shows the secret: the code reads it from its
 * environment. URLs and scopes are escaped for code.
 */
export type GuideValues = {
  issuer: string
  clientId: string
  redirectUris: readonly string[]
  /** The URLs to which users may return after signing out. */
  afterSignOut: readonly string[]
  /** An API that the application may request tokens for, with one of its scopes, or null if there is none. */
  api: { indicator: string; scope: string } | null
  /** The URL of the webhook whose messages the code receives. */
  hookUrl?: string
  /** The port that the code listens on. By default it follows from the redirect URI. */
  port?: number
}

/** The instructions for one library, with the values of an application or an API (spec/console#application-guides). */
export type Guide = Pick<Sample, 'name' | 'kinds' | 'library'> & {
  id: string
  setup: string | undefined
  install: string | undefined
  /** The code, by file name. */
  files: Readonly<Record<string, string>>
  run: string | undefined
  /** The URL where users start, or undefined if they don't open a browser. */
  opens: string | undefined
  isExecuted: boolean
  /** True if the code calls an API although none exists. */
  lacksApi: boolean
  /** The redirect URI in the code if it is not one of the application's, or null. */
  unregistered: string | null
  /** The changes that make the code run on the operator's own machine, or null if it runs there as it is. */
  localSetup: { port: string; origin: string; local: string } | null
}

/** Fills the values of an application into a sample. `sources` contains the files of the sample by name. */
export function createGuide(
  id: string,
  sample: Sample,
  sources: (file: string) => string,
  values: GuideValues,
): Guide {
  const redirect = resolveRedirect(sample, values)
  const replacement = createReplacement(values, redirect)
  const fill = (text: string) => fillIn(text, replacement)
  const fillOptional = (text: string | undefined) => (text === undefined ? undefined : fill(text))
  // A file about the API is empty without one.
  const files = Object.fromEntries(
    sample.files
      .map((file) => [renameFile(file, redirect), fill(sources(file))] as const)
      .filter(([, code]) => code.trim() !== ''),
  )
  const { name, kinds, library } = sample
  return {
    id,
    name,
    kinds,
    library,
    files,
    setup: fillOptional(sample.setup),
    install: fillOptional(sample.install),
    run: fillOptional(sample.run),
    opens: redirect && sample.opens !== undefined ? resolveStart(sample.opens, redirect) : undefined,
    isExecuted: sample.executed,
    lacksApi: values.api === null && Object.values(files).some((code) => code.includes(exampleApi)),
    unregistered: redirect && !values.redirectUris.includes(redirect.uri) ? redirect.uri : null,
    localSetup: redirect && findLocalSetup(redirect),
  }
}

/** The redirect URI that the code uses instead of the one in the sample, and the port that the code listens on. */
type Redirect = { uri: string; sampleUri: string; sampleAfterSignOut: string | undefined; port: string }

function resolveRedirect(sample: Sample, values: GuideValues): Redirect | null {
  const sampleUri = sample.values?.redirectUri
  // Machines and devices have no redirect URI.
  if (sampleUri === undefined) return null
  const uri = chooseRedirectUri(sample, sampleUri, values.redirectUris)
  const { protocol, port } = new URL(uri)
  const { port: samplePort } = new URL(sampleUri)
  // The server itself speaks plain http. For an https URL, a proxy in front of it terminates TLS, listens on the port
  // of that URL and forwards requests to the server's own port.
  const ownPort = protocol === 'http:' ? port || '80' : samplePort
  return {
    uri,
    sampleUri,
    sampleAfterSignOut: sample.values?.afterSignOut,
    port: samplePort && (values.port === undefined ? ownPort : String(values.port)),
  }
}

/**
 * Returns the first redirect URI with which the code works. If none is registered, returns the one that the operator
 * has to add.
 */
function chooseRedirectUri(
  { fixedPath, patternPaths }: Sample,
  sampleUri: string,
  uris: readonly string[],
): string {
  const sample = new URL(sampleUri)
  const isWeb = classOf(sample) === 'web'
  const suitable = uris.find((uri) => {
    const url = new URL(uri)
    if (classOf(url) !== classOf(sample)) return false
    // Such a route would be another one, or none at all.
    if (patternPaths && /[:*()[\]+!]/.test(url.pathname)) return false
    // The code has its own page at the root.
    const collides = url.pathname === '/' && sample.pathname !== '/' && isWeb
    return fixedPath ? url.pathname === sample.pathname : !collides
  })
  const web = uris.find((uri) => classOf(new URL(uri)) === 'web')
  return suitable ?? (isWeb && web ? new URL(sample.pathname, web).href : sampleUri)
}

/** The ways in which a program receives the response: as a web server, on a loopback port of its own, or by a link. */
function classOf({ protocol, hostname, port }: URL): 'web' | 'loopback' | 'link' {
  if (!/^https?:$/.test(protocol)) return 'link'
  return protocol === 'http:' && hostname === '127.0.0.1' && port === '' ? 'loopback' : 'web'
}

/** Returns the first URL after signing out with which the code works, or else the first one, or null without any. */
function chooseAfterSignOut(uris: readonly string[], redirect: Redirect | null): string | null {
  const suitable = uris.find((uri) => redirect && classOf(new URL(uri)) === classOf(new URL(redirect.uri)))
  return suitable ?? uris[0] ?? null
}

function createReplacement(values: GuideValues, redirect: Redirect | null) {
  const { issuer, clientId, api, hookUrl } = values
  const afterSignOut = chooseAfterSignOut(values.afterSignOut, redirect)
  const replacement: Replacement = {
    literals: [
      ['https://id.example.com/oidc', issuer],
      ['my-client-id', clientId],
      ...(hookUrl === undefined ? [] : receiverLiterals(new URL(hookUrl))),
    ],
    afterSignOut: null,
    conditions: { http: issuer.startsWith('http:'), api: api !== null, signout: afterSignOut !== null },
    api,
  }
  if (!redirect) return replacement
  const { uri, sampleUri, sampleAfterSignOut, port } = redirect
  const [url, sample] = [new URL(uri), new URL(sampleUri)]
  const isLink = classOf(sample) === 'link'
  return {
    ...replacement,
    literals: [
      ...replacement.literals,
      [sampleUri, uri],
      ...(sample.pathname === '/' ? [] : [[sample.pathname, url.pathname] as const]),
      ...(isLink ? [[sample.protocol.slice(0, -1), url.protocol.slice(0, -1)] as const] : []),
      ...(sample.port === '' ? [] : [[sample.origin, url.origin] as const, [sample.port, port] as const]),
    ],
    afterSignOut:
      sampleAfterSignOut === undefined || afterSignOut === null ? null : [sampleAfterSignOut, afterSignOut],
  } satisfies Replacement
}

/** A receiver listens at the path of the webhook's URL, and on its port if no proxy is in front of it. */
const receiverLiterals = ({ protocol, pathname, port }: URL) =>
  [['/hooks', pathname], ...(protocol === 'http:' && port !== '' ? [['4000', port] as const] : [])] as const

/** Some frameworks derive the path of a route from the name of its file. */
function renameFile(file: string, redirect: Redirect | null): string {
  if (!redirect) return file
  const [from, to] = [new URL(redirect.sampleUri).pathname, new URL(redirect.uri).pathname]
  return from === '/' ? file : file.replace(from, to.replace(/\/$/, ''))
}

const resolveStart = (path: string, { uri, sampleUri }: Redirect): string =>
  new URL(sampleUri).pathname === path ? uri : new URL(path, uri).href

function findLocalSetup({ uri, port }: Redirect): Guide['localSetup'] {
  const { protocol, hostname, origin, pathname } = new URL(uri)
  if (port === '' || (protocol === 'http:' && loopbackHosts.has(hostname))) return null
  return { port, origin, local: new URL(pathname, `http://localhost:${port}`).href }
}
