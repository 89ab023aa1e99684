import { createHash } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 12 // spec 3

/**
 * The id of a user whose line names none: always the same for the same line, so that a batch whose answer was lost can
 * be sent again and a whole file be imported twice. The number of the line is part of it, because two people may be
 * written alike; a file with lines put in between is another file, which is why an import in progress is bound to its
 * file's fingerprint.
 */
export function userIdOf(text: string, line: number): string {
  let number = BigInt(`0x${createHash('sha256').update(`${line}\n${text}`).digest('hex')}`)
  let id = ''
  while (id.length < LENGTH) {
    id += ALPHABET[Number(number % 62n)]
    number /= 62n
  }
  return id
}
