import { createHash } from 'node:crypto'
import { PRODUCT_NAME } from '../../contract/product.ts'
import type { Network } from '../connector-context.ts'
import { ConnectorFailure } from '../failure.ts'
import { callProvider } from '../provider-call.ts'

/** The longest delay that a new password may cause (spec/accounts#compromised-passwords). */
const TIMEOUT = 1_000 // ms

/**
 * The number of hash digits that are sent, out of 40. The service responds with the remaining digits of all hashes that
 * begin with them.
 */
const PREFIX_LENGTH = 5
const LINE = /^([0-9A-F]{35}):(\d+)$/

/**
 * Returns whether a password is in a breach that Have I Been Pwned knows. The service receives only five digits of its
 * SHA-1 hash, and its response is padded, so that neither the request nor the length of the response reveals the
 * password. Throws a `ConnectorFailure` if there is no response. `address` ends with a slash.
 */
export async function isBreached(password: string, address: string, { fetch }: Network): Promise<boolean> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const { status, text, isWhole } = await callProvider(
    `${address}${hash.slice(0, PREFIX_LENGTH)}`,
    { headers: { 'add-padding': 'true', 'user-agent': PRODUCT_NAME } },
    // The operator of the deployment chooses the URL, which may be that of a copy of the list in a private network.
    { fetch, timeout: TIMEOUT, allowPrivateTargets: true },
  )
  const lines = text.trim().split(/\r?\n/)
  const hashes = lines.map((line) => LINE.exec(line))
  if (status !== 200 || !isWhole || hashes.includes(null))
    throw new ConnectorFailure('invalid_response', { detail: { status } })
  // Padding lines have the count 0.
  return hashes.some((line) => line?.[1] === hash.slice(PREFIX_LENGTH) && Number(line[2]) > 0)
}
