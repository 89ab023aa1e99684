const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' // spec 9: letters and digits

/** Bytes from here on would make the first characters of the alphabet likelier than the last. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length)

/**
 * A random id. It draws its own randomness, against rule 9: no behaviour depends on which id it is,
 * and a test that wants a certain one passes it where the id goes.
 */
export function randomId(length = 21): string {
  let id = ''
  while (id.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < FAIR_BYTES && id.length < length) id += ALPHABET[byte % ALPHABET.length]
    }
  }
  return id
}
