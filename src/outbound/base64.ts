/** Encodes text as UTF-8 and then as Base64, because `btoa` accepts only Latin-1. */
export const textToBase64 = (text: string) => new TextEncoder().encode(text).toBase64()

/** Returns an `Authorization` header value for Basic authentication (RFC 7617). */
export const basicAuthorization = (user: string, password: string) =>
  `Basic ${textToBase64(`${user}:${password}`)}`
