/** Of the UTF-8 of a text: `btoa` takes Latin-1 alone. */
export const textToBase64 = (text: string) => new TextEncoder().encode(text).toBase64()

/** RFC 7617. */
export const basicAuthorization = (user: string, password: string) =>
  `Basic ${textToBase64(`${user}:${password}`)}`
