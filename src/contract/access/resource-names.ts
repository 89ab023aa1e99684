/**
 * How a resource may be named (spec/provider#resource-names): RFC 8707 §2 compares text, the Model Context Protocol without
 * the case of scheme and host, the default port and a slash at the end.
 */

const HIERARCHICAL = /^([a-z][a-z\d+.-]*):\/\/([^/?#@\\]*)([^?]*)(.*)$/i
const defaultPorts: Record<string, RegExp> = { http: /:(?:80)?$/, https: /:(?:443)?$/ }

/** With scheme and host in lower case and without the default port. A name without a host, such as a URN, stays as it is. */
export function normalResource(indicator: string): string {
  const { scheme, host, path, query } = partsOf(indicator) ?? {}
  return scheme === undefined ? indicator : `${scheme}://${host}${path}${query}`
}

/** As given first; without duplicates. A registered name is normal, or was registered before names were. */
export function resourceSpellings(indicator: string): string[] {
  const { scheme, host, path = '', query } = partsOf(indicator) ?? {}
  if (scheme === undefined) return [indicator]
  const bare = withoutSlash(path)
  const spelled = [bare, `${bare}/`].map((each) => `${scheme}://${host}${each}${query}`)
  return [...new Set([indicator, normalResource(indicator), ...spelled])]
}

export function isSameResource(one: string, other: string): boolean {
  return one === other || canonical(one) === canonical(other)
}

function canonical(indicator: string): string {
  const { scheme, host, path = '', query } = partsOf(indicator) ?? {}
  return scheme === undefined ? indicator : `${scheme}://${host}${withoutSlash(path)}${query}`
}

const withoutSlash = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path)

function partsOf(indicator: string) {
  const [, scheme, host, path = '', query = ''] = HIERARCHICAL.exec(indicator) ?? []
  if (scheme === undefined || host === undefined) return null
  const name = scheme.toLowerCase()
  const port = defaultPorts[name]
  return { scheme: name, host: port ? host.toLowerCase().replace(port, '') : host.toLowerCase(), path, query }
}
