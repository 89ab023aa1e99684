import { bytesToBase64 } from '../base64.ts'

/** Takes the place of `@stablelib/base64` in the Worker (scripts/worker-bundle.mjs), for standardwebhooks. */
export const encode = bytesToBase64

/** Throws for text that is not Base64, as the original does. */
export const decode = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
