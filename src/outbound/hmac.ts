import { createHash, createHmac } from 'node:crypto'

/** Computes the hashes for signing calls to cloud providers. */

export const computeHmac = (hash: 'sha1' | 'sha256', key: string | Uint8Array, text: string) =>
  createHmac(hash, key).update(text).digest()

export const sha256Hex = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
