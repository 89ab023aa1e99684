import { createHmac } from 'node:crypto'

/**
 * Replaces `fast-sha256` in the Worker bundle (scripts/worker-bundle.mjs), so that standardwebhooks signs with
 * the platform's HMAC.
 */
export const hmac = (key: Uint8Array, data: Uint8Array | string): Uint8Array =>
  createHmac('sha256', key).update(data).digest()
