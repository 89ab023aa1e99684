import { ID_ALPHABET, USER_ID_LENGTH } from '../contract/ids.ts'

/** What tells a line of a file of users from every other one, to be hashed. The first line has the number 1. */
export const identified = (text: string, line: number): string => `${line}\n${text}`

/** The id of a user from a hash in hexadecimal digits: the same hash, the same id. */
export function idOfDigest(hexadecimal: string): string {
  let number = BigInt(`0x${hexadecimal}`)
  let id = ''
  while (id.length < USER_ID_LENGTH) {
    id += ID_ALPHABET[Number(number % 62n)]
    number /= 62n
  }
  return id
}
