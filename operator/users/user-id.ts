import { createHash } from 'node:crypto'
import { ID_ALPHABET, USER_ID_LENGTH } from '../../src/contract/ids.ts'

/**
 * The id of a user whose line has none. It is the same for the same line, so that a batch whose answer was lost can be sent again
 * and a file be imported twice (ADR-0019). The number of the line is part of it, because two users may have equal lines; a file
 * with inserted lines is another file, so the state of an import has the fingerprint of its file.
 */
export function userIdOf(text: string, line: number): string {
  let number = BigInt(`0x${createHash('sha256').update(`${line}\n${text}`).digest('hex')}`)
  let id = ''
  while (id.length < USER_ID_LENGTH) {
    id += ID_ALPHABET[Number(number % 62n)]
    number /= 62n
  }
  return id
}
