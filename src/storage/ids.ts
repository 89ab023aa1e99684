import { ID_ALPHABET, ID_LENGTH } from '../contract/ids.ts'

/**
 * The first byte value that is rejected, because larger values would make the first characters of the alphabet more
 * likely than the last.
 */
const FAIR_BYTES = 256 - (256 % ID_ALPHABET.length)

/**
 * Returns a random id. Unlike other impure functions, it does not take its randomness as an argument, because no
 * behaviour depends on the value. Tests that need a specific id pass it to the code that uses it.
 */
export function randomId(length = ID_LENGTH): string {
  let id = ''
  while (id.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < FAIR_BYTES && id.length < length) id += ID_ALPHABET[byte % ID_ALPHABET.length]
    }
  }
  return id
}
