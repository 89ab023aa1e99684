/**
 * The grammar of email addresses (spec/accounts#email): the mailbox of RFC 5321 without quoting. Address lists and
 * quoted or angle-bracket forms are excluded, because a message could reach a different mailbox than the one that was
 * compared.
 */

/** The maximum length of an email address: that of a path without its angle brackets (RFC 5321 §4.5.3.1.3). */
export const EMAIL_MAX_LENGTH = 254
/** RFC 5321 §4.5.3.1.1 */
const LOCAL_PART_MAX_LENGTH = 64

const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/**
 * A domain in ASCII. It has a dot, and its last label contains a letter, because a domain that ends in digits could be
 * an IP address (RFC 3696 §2).
 */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?![\d-]+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i
/**
 * The characters allowed in an internationalized domain name. The URL parser would interpret other characters as
 * syntax.
 */
const LETTERS = /^[\p{L}\p{M}\p{N}.-]+$/u
const ASCII = /^[\x21-\x7e]+$/

/**
 * Returns the address in the form in which it is stored and compared, with its domain in ASCII. Returns null if the
 * text is not an email address.
 */
export function parseEmailAddress(text: string): string | null {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  if (local.length > LOCAL_PART_MAX_LENGTH || text.length > EMAIL_MAX_LENGTH || !LOCAL_PART.test(local))
    return null
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === null || !DOMAIN.test(domain)) return null
  const address = `${local}@${domain}`
  return address.length <= EMAIL_MAX_LENGTH ? address : null
}

/** Converts an internationalized domain as browsers do (RFC 5891, UTS 46). */
function asciiDomain(domain: string): string | null {
  if (ASCII.test(domain)) return domain
  if (!LETTERS.test(domain)) return null
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return null
  }
}
