/**
 * Equivalent spellings of resource names (spec/provider#resource-names). RFC 8707 §2 compares names as text, but the
 * Model Context Protocol ignores the case of scheme and host, the default port and a trailing slash.
 */

const HIERARCHICAL = /^([a-z][a-z\d+.-]*):\/\/([^/?#@\\]*)([^?]*)(.*)$/i
const defaultPorts: Record<string, RegExp> = { http: /:(?:80)?$/, https: /:(?:443)?$/ }

/**
 * Converts the scheme and host to lower case and drops the default port. Names without a host, such as URNs, are
 * returned unchanged.
 */
export function normalizeResource(indicator: string): string {
  const { scheme, host, path, query } = parseIndicator(indicator) ?? {}
  return scheme === undefined ? indicator : `${scheme}://${host}${path}${query}`
}

/**
 * Returns the distinct spellings of a name, starting with the one in the request. Stored names may predate
 * normalization, so lookups try every spelling.
 */
export function equivalentResourceNames(indicator: string): string[] {
  const { scheme, host, path = '', query } = parseIndicator(indicator) ?? {}
  if (scheme === undefined) return [indicator]
  const bare = withoutSlash(path)
  const spellings = [bare, `${bare}/`].map((each) => `${scheme}://${host}${each}${query}`)
  return [...new Set([indicator, normalizeResource(indicator), ...spellings])]
}

export function isSameResource(one: string, other: string): boolean {
  return one === other || canonical(one) === canonical(other)
}

function canonical(indicator: string): string {
  const { scheme, host, path = '', query } = parseIndicator(indicator) ?? {}
  return scheme === undefined ? indicator : `${scheme}://${host}${withoutSlash(path)}${query}`
}

const withoutSlash = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path)

function parseIndicator(indicator: string) {
  const [, scheme, host, path = '', query = ''] = HIERARCHICAL.exec(indicator) ?? []
  if (scheme === undefined || host === undefined) return null
  const name = scheme.toLowerCase()
  const port = defaultPorts[name]
  return { scheme: name, host: port ? host.toLowerCase().replace(port, '') : host.toLowerCase(), path, query }
}
