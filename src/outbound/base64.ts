/** Of the UTF-8 of a text: `btoa` takes Latin-1 alone. */
export const textToBase64 = (text: string) => bytesToBase64(new TextEncoder().encode(text))

export const bytesToBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

/** RFC 7617. */
export const basicAuthorization = (user: string, password: string) =>
  `Basic ${textToBase64(`${user}:${password}`)}`
