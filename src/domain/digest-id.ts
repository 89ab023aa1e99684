import { ID_ALPHABET, USER_ID_LENGTH } from '../contract/ids.ts'

/** Returns the text to be hashed, which is unique for each line of a user file. The first line has the number 1. */
export const hashInput = (text: string, line: number): string => `${line}\n${text}`

/** Derives a user id from a hash in hexadecimal digits. The same hash always gives the same id. */
export function idFromDigest(hexadecimal: string): string {
  let number = BigInt(`0x${hexadecimal}`)
  let id = ''
  while (id.length < USER_ID_LENGTH) {
    id += ID_ALPHABET[Number(number % 62n)]
    number /= 62n
  }
  return id
}
