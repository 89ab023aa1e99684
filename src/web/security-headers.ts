/**
 * What a page may do and who may do something with it (design 2 and 4). The pages need no inline script;
 * their one style element carries a nonce.
 */
export type PagePolicy = {
  nonce: string
  /** Where a form's chain of redirects may end besides here, as CSP sources. */
  formTargets: readonly string[]
  /** Origins of pages that may be shown inside this one. */
  frames?: readonly string[]
  /** Pages that may show this one inside themselves, as CSP sources. */
  ancestors?: readonly string[]
}

const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb']
  .map((name) => `${name}=()`)
  .join(', ')
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** What every answer says, a page or not. */
export function commonHeaders({ protocol }: URL): Record<string, string> {
  return {
    // Not no-referrer: with it our own forms would send `Origin: null` (design 2).
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // An application may open sign-in in a popup and wait for its callback page to post a message back. Any stricter
    // value, on a page or on a redirect between pages, would cut the popup from its opener for good, so framing is
    // forbidden instead.
    'cross-origin-opener-policy': 'unsafe-none',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    ...(protocol === 'https:' && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  }
}

/** The headers of one HTML page. */
export function securityHeaders(url: URL, policy: PagePolicy): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(policy),
    ...commonHeaders(url),
    'cache-control': 'no-store',
  }
}

/** The content security policy of one page. */
export function contentSecurityPolicy({
  nonce,
  formTargets,
  frames = [],
  ancestors = [],
}: PagePolicy): string {
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': [`'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:', 'https:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    ...(frames.length > 0 && { 'frame-src': frames }),
    'base-uri': ["'none'"],
    'frame-ancestors': ancestors.length > 0 ? ancestors : ["'none'"],
    'form-action': ["'self'", ...formTargets],
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}

/** What a source may look like: a host name may hold `;`, which would begin a directive of its own. */
const SOURCE = /^[\w.+-]+:(?:\/\/[\w.-]+(?::\d+)?)?$/

/**
 * The CSP source that covers an address: its origin for the web, its scheme for an app's own. CSP has no way to
 * write the literal IPv6 address of a loopback redirect, so there the scheme has to do, too.
 */
export function formTarget(address: string | undefined): string[] {
  const url = address ? URL.parse(address) : null
  if (!url) return []
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const source = isWeb && !url.hostname.startsWith('[') ? url.origin : url.protocol
  return SOURCE.test(source) ? [source] : []
}

/** The origins of web addresses, as CSP sources. CSP has no way to write that of a literal IPv6 address. */
export function origins(addresses: readonly (string | null)[]): string[] {
  const found = addresses.map((address) => (address ? (URL.parse(address)?.origin ?? '') : ''))
  return [...new Set(found.filter((origin) => SOURCE.test(origin)))]
}

/** A value nobody can guess, new for every page. */
export function newNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
}
