import providers from 'email-providers/all.json'
import { parse } from 'tldts'

/**
 * The rules for domains that need large lists: the Public Suffix List of `tldts` and the mail providers of
 * `email-providers`. This file is only loaded when somebody adds a domain.
 */

/** Large mail providers that the list lacks, from their own lists of domains for addresses. */
const moreProviders = [
  'duck.com',
  'fastmail.com',
  'keemail.me',
  'relay.firefox.com',
  'mozmail.com',
  'tuta.com',
  'tuta.io',
  'tutamail.com',
  'tutanota.com',
  'tutanota.de',
]

const freeMail = new Set([...providers, ...moreProviders])

/**
 * Returns the reason why no organisation can have a domain: it is a public suffix, also of the private section such as
 * `github.io`, it ends in no known suffix, or it belongs to a mail provider with which anybody can have an address. A
 * subdomain of a mail provider is refused as well.
 */
export function findDomainProblem(domain: string): 'publicSuffix' | 'unknownSuffix' | 'mailProvider' | null {
  const { domain: registrable, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true })
  if (!isIcann && !isPrivate) return 'unknownSuffix'
  if (registrable === null) return 'publicSuffix'
  return freeMail.has(domain) || freeMail.has(registrable) ? 'mailProvider' : null
}
