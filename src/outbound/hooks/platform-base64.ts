/** Replaces `@stablelib/base64` in the Worker (scripts/worker-bundle.mjs), for standardwebhooks. */
export const encode = (bytes: Uint8Array): string => bytes.toBase64()

/** Throws for text that is not Base64, as the original does. */
export const decode = (text: string): Uint8Array => Uint8Array.fromBase64(text)
