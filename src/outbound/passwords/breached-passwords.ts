import { createHash } from 'node:crypto'
import { PRODUCT_NAME } from '../../contract/product.ts'
import type { Network } from '../connector-context.ts'
import { ConnectorFailure } from '../failure.ts'
import { callProvider } from '../provider-call.ts'

/** The maximum time by which this check may delay a new password (spec/accounts#compromised-passwords). */
const TIMEOUT = 1_000 // ms

/**
 * The number of the hash's 40 hexadecimal digits that are sent. The service responds with the remaining digits of all
 * hashes that begin with them.
 */
const PREFIX_LENGTH = 5
const LINE = /^([0-9A-F]{35}):(\d+)$/

/**
 * Checks whether a password is part of a breach known to Have I Been Pwned. The service receives only five digits of
 * the SHA-1 hash and pads its response, so that neither the request nor the response's length reveals the password.
 * Throws a `ConnectorFailure` if the service does not respond. `address` must end with a slash.
 */
export async function isPasswordBreached(
  password: string,
  address: string,
  { fetch }: Network,
): Promise<boolean> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const { status, text, isWhole } = await callProvider(
    `${address}${hash.slice(0, PREFIX_LENGTH)}`,
    { headers: { 'add-padding': 'true', 'user-agent': PRODUCT_NAME } },
    // Private addresses are allowed: only the deployment's operator can configure this URL, which may be that of a copy
    // in a private network.
    { fetch, timeout: TIMEOUT, allowPrivateTargets: true },
  )
  const lines = text.trim().split(/\r?\n/)
  const hashes = lines.map((line) => LINE.exec(line))
  if (status !== 200 || !isWhole || hashes.includes(null))
    throw new ConnectorFailure('invalid_response', { detail: { status } })
  // Lines added as padding have the count 0.
  return hashes.some((line) => line?.[1] === hash.slice(PREFIX_LENGTH) && Number(line[2]) > 0)
}
