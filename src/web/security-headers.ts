import type { Experience } from '../contract/experience/experience.ts'
import { collectPictures } from '../domain/experience/pictures.ts'
import { commonHeaders } from './answer-headers.ts'

/**
 * The sources from which a page may load content, and the sites that may frame it (spec/pages#csp). No page has inline
 * scripts, and styles have a nonce.
 */
type PagePolicy = {
  nonce: string
  /** The targets of redirects after a form besides this origin, as CSP sources. */
  formTargets: readonly string[]
  /** The sources of pictures besides this origin, as CSP sources. By default, any https URL is allowed. */
  images?: readonly string[]
  /** The origins of pages that this page may show in a frame. */
  frames?: readonly string[]
  /** The pages that may show this page in a frame, as CSP sources. */
  ancestors?: readonly string[]
}

/** Returns the security headers of one HTML page. */
export function createSecurityHeaders(policy: PagePolicy): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': createContentSecurityPolicy(policy),
    ...commonHeaders,
    'cache-control': 'no-store',
  }
}

/** Returns the content security policy of one page. */
export function createContentSecurityPolicy({
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

/** A host name may contain `;`, which would begin another directive. */
const SOURCE = /^[\w.+-]+:(?:\/\/[\w.-]+(?::\d+)?)?$/

/**
 * Returns the CSP source that covers a URL: the origin of a web URL, or the scheme of an app's URL. The scheme is also
 * returned for loopback redirects to a literal IPv6 address, because CSP has no syntax for these.
 */
export function toFormTargets(target: string | null | undefined): string[] {
  const url = target ? URL.parse(target) : null
  if (!url) return []
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const source = isWeb && !url.hostname.startsWith('[') ? url.origin : url.protocol
  return SOURCE.test(source) ? [source] : []
}

/**
 * Returns the CSP sources of pictures. Custom CSS can request a picture depending on what a user types. With custom
 * CSS, pictures are therefore limited to the URLs of the logos and the origins that the operator lists
 * (spec/pages#csp). `shown` contains the pictures on the consent page.
 */
export function collectImageSources(
  {
    customCss,
    branding,
    layout,
    socialConnectors,
    imageOrigins = [],
  }: Pick<Experience, 'customCss' | 'branding' | 'layout' | 'socialConnectors' | 'imageOrigins'>,
  consentPictures: readonly (string | null | undefined)[] = [],
): readonly string[] {
  if (!customCss) return ['https:']
  const logos = [
    ...collectPictures({ branding, layout }).map(({ address }) => address),
    ...socialConnectors.flatMap(({ logo, logoDark }) => [logo, logoDark]),
    ...consentPictures,
  ]
  return [...new Set([...logos.flatMap(exactSource), ...toOriginSources(imageOrigins)])]
}

/**
 * Returns a picture's URL without its query, because CSP does not compare queries. URLs whose path ends in `/` are not
 * allowed as sources, because they would match everything below them (CSP Level 3 §6.7.2.12).
 */
function exactSource(address: string | null | undefined): string[] {
  const url = address ? URL.parse(address) : null
  if (url?.protocol !== 'https:' || !SOURCE.test(url.origin) || url.pathname.endsWith('/')) return []
  return [url.origin + url.pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')]
}

/**
 * Returns the origins of web URLs as CSP sources. Origins with a literal IPv6 address are left out, because CSP has no
 * syntax for these.
 */
export function toOriginSources(addresses: readonly (string | null)[]): string[] {
  const origins = addresses.map((address) => (address ? (URL.parse(address)?.origin ?? '') : ''))
  return [...new Set(origins.filter((origin) => SOURCE.test(origin)))]
}

/** Returns an unguessable nonce. Each page gets a new one. */
export function generateNonce(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toBase64()
}
