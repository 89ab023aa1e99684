import { parseEmailAddress } from '../interactions/email-address.ts'

/** Domains of organisations (spec/organisations#domains). */

/** The longest name that DNS allows (RFC 1035 §2.3.4), without the prefix of the record. */
const DOMAIN_MAX_LENGTH = 253 - '_vestibule.'.length

/**
 * Returns a domain in the form in which it is stored and compared: in ASCII, in lower case and without a dot at the end.
 * Returns null for anything else, such as an IP address, a single label or a wildcard. The grammar is that of email
 * addresses, because the domain is compared with theirs.
 */
export function toCanonicalDomain(text: string): string | null {
  const address = parseEmailAddress(`x@${text.replace(/\.$/, '')}`)
  const domain = address?.slice('x@'.length).toLowerCase() ?? ''
  return domain === '' || domain.length > DOMAIN_MAX_LENGTH ? null : domain
}

/** Returns the domain of an address, as domains of organisations are stored. */
export const domainOfAddress = (email: string): string =>
  email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Returns the domains of which a domain is a subdomain, the closest first, except the top-level domain. */
export function parentDomains(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
}

/** The TXT record that proves a domain. */
export const proofRecord = ({ domain, token }: { domain: string; token: string }) => ({
  name: `_vestibule.${domain}`,
  type: 'TXT' as const,
  value: `vestibule-domain=${token}`,
})
