/**
 * Returns the URL of a support contact, which is an email address or a web address. An email address may contain the
 * characters that separate the parts of a `mailto` URL (RFC 6068 §2).
 */
export const contactUrl = (contact: string): string =>
  contact.includes('://') ? contact : `mailto:${encodeURIComponent(contact).replace('%40', '@')}`
