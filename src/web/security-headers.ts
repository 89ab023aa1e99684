import type { Experience } from '../contract/experience/experience.ts'
import { collectPictures } from '../domain/experience/pictures.ts'

/** What a page may load, and which pages may show it (spec/pages#csp). Pages need no inline script, and their styles carry a nonce. */
type PagePolicy = {
  nonce: string
  /** Where the redirects after a form may lead besides this origin, as CSP sources. */
  formTargets: readonly string[]
  /** Where pictures may come from beside this origin, as CSP sources. Any https address, unless it is given. */
  images?: readonly string[]
  /** Origins of pages that this one may show in a frame. */
  frames?: readonly string[]
  /** Pages that may show this one in a frame, as CSP sources. */
  ancestors?: readonly string[]
}

const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb']
  .map((name) => `${name}=()`)
  .join(', ')

/** The headers of every answer, a page or not (spec/pages#headers). */
export const commonHeaders: Readonly<Record<string, string>> = {
  // Not no-referrer: with it our own forms would send `Origin: null`.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  // An application may open sign-in in a popup and wait for a message of its callback page. A stricter value on any page
  // or redirect would separate the popup from its opener for good, so framing is forbidden instead.
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': PERMISSIONS,
}

/** Its value depends on the host (`strictTransportHeader`), so it is added to all answers in one place (`answer-headers.ts`). */
export const STRICT_TRANSPORT = 'strict-transport-security'

/** The headers of one HTML page. */
export function securityHeaders(policy: PagePolicy): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(policy),
    ...commonHeaders,
    'cache-control': 'no-store',
  }
}

/** The content security policy of one page. */
export function contentSecurityPolicy({
  nonce,
  formTargets,
  images = ['https:'],
  frames = [],
  ancestors = [],
}: PagePolicy): string {
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': [`'nonce-${nonce}'`, "'self'"],
    'img-src': ["'self'", 'data:', ...images],
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

/** A host name may hold `;`, which would begin another directive. */
const SOURCE = /^[\w.+-]+:(?:\/\/[\w.-]+(?::\d+)?)?$/

/**
 * The CSP source that covers an address: its origin on the web, its scheme for an app. CSP cannot express the literal IPv6 address
 * of a loopback redirect, so there the scheme is used, too.
 */
export function formTarget(address: string | null | undefined): string[] {
  const url = address ? URL.parse(address) : null
  if (!url) return []
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const source = isWeb && !url.hostname.startsWith('[') ? url.origin : url.protocol
  return SOURCE.test(source) ? [source] : []
}

/**
 * Custom CSS can ask for a picture depending on what is typed: with it, pictures come from the logos' own addresses and the origins
 * that the operator lists (spec/pages#csp). `shown`: those of the consent page.
 */
export function imageSources(
  {
    customCss,
    branding,
    layout,
    socialConnectors,
    imageOrigins = [],
  }: Pick<Experience, 'customCss' | 'branding' | 'layout' | 'socialConnectors' | 'imageOrigins'>,
  shown: readonly (string | null | undefined)[] = [],
): readonly string[] {
  if (!customCss) return ['https:']
  const logos = [
    ...collectPictures({ branding, layout }).map(({ address }) => address),
    ...socialConnectors.flatMap(({ logo, logoDark }) => [logo, logoDark]),
    ...shown,
  ]
  return [...new Set([...logos.flatMap(exactSource), ...originsOf(imageOrigins)])]
}

/** A picture without its query, which CSP does not compare. A path that ends in `/` would stand for all below it (CSP Level 3 §6.7.2.12), so it has none. */
function exactSource(address: string | null | undefined): string[] {
  const url = address ? URL.parse(address) : null
  if (url?.protocol !== 'https:' || !SOURCE.test(url.origin) || url.pathname.endsWith('/')) return []
  return [url.origin + url.pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')]
}

/** The origins of web addresses, as CSP sources. CSP cannot express that of a literal IPv6 address. */
export function originsOf(addresses: readonly (string | null)[]): string[] {
  const origins = addresses.map((address) => (address ? (URL.parse(address)?.origin ?? '') : ''))
  return [...new Set(origins.filter((origin) => SOURCE.test(origin)))]
}

/** Unguessable, and new for every page. */
export function newNonce(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toBase64()
}
