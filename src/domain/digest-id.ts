import { ID_ALPHABET, USER_ID_LENGTH } from '../contract/ids.ts'

/**
 * Returns the text to hash for a line of a user file. It contains the line number, starting at 1, so that identical
 * lines get different ids.
 */
export const buildHashInput = (text: string, line: number): string => `${line}\n${text}`

/** Derives a user id from a hexadecimal hash. The same hash always results in the same id. */
export function deriveIdFromDigest(hexadecimal: string): string {
  let number = BigInt(`0x${hexadecimal}`)
  let id = ''
  while (id.length < USER_ID_LENGTH) {
    id += ID_ALPHABET[Number(number % 62n)]
    number /= 62n
  }
  return id
}
