/**
 * The one grammar of e-mail addresses (spec/accounts#email): a mailbox of RFC 5321 without quoting. Lists, quoted and
 * angle-bracket forms would reach other mailboxes than the one that is compared.
 */

/** RFC 5321 §4.5.3.1.3, without the angle brackets of a path. */
export const EMAIL_MAX_LENGTH = 254
/** RFC 5321 §4.5.3.1.1 */
const LOCAL_PART_MAX_LENGTH = 64

const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** A dot at least. The last label has a letter: digits alone would be an IP address (RFC 3696 §2). */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?![\d-]+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i
/** What an internationalised name may consist of; a URL would read other characters as its own. */
const LETTERS = /^[\p{L}\p{M}\p{N}.-]+$/u
const ASCII = /^[\x21-\x7e]+$/

/** The address as it is kept and compared, its domain in ASCII; null when the text is no address. */
export function emailAddress(text: string): string | null {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  if (local.length > LOCAL_PART_MAX_LENGTH || text.length > EMAIL_MAX_LENGTH || !LOCAL_PART.test(local))
    return null
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === null || !DOMAIN.test(domain)) return null
  const address = `${local}@${domain}`
  return address.length <= EMAIL_MAX_LENGTH ? address : null
}

/** As browsers write an internationalised domain (RFC 5891, UTS 46). */
function asciiDomain(domain: string): string | null {
  if (ASCII.test(domain)) return domain
  if (!LETTERS.test(domain)) return null
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return null
  }
}
