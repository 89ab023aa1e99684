/** Encodes the UTF-8 bytes of a text, because `btoa` accepts only Latin-1. */
export const textToBase64 = (text: string) => new TextEncoder().encode(text).toBase64()

/** Returns the header value of Basic authentication (RFC 7617). */
export const basicAuthorization = (user: string, password: string) =>
  `Basic ${textToBase64(`${user}:${password}`)}`
