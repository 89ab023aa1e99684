/** Replaces `@stablelib/base64`, a dependency of standardwebhooks, in the Worker bundle (scripts/worker-bundle.mjs). */
export const encode = (bytes: Uint8Array): string => bytes.toBase64()

/** Throws for invalid Base64, as the original function does. */
export const decode = (text: string): Uint8Array => Uint8Array.fromBase64(text)
