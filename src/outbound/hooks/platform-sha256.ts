import { createHmac } from 'node:crypto'

/** Takes the place of `fast-sha256` in the Worker (scripts/worker-bundle.mjs): standardwebhooks signs with the platform's HMAC. */
export const hmac = (key: Uint8Array, data: Uint8Array | string): Uint8Array =>
  createHmac('sha256', key).update(data).digest()
