import { createHash } from 'node:crypto'
import { identified, idOfDigest } from '../../src/domain/digest-id.ts'

/**
 * The id of a user whose line has none. It is the same for the same line, so that a batch whose answer was lost can be sent again
 * and a file be imported twice (ADR-0019). The number of the line is part of it, because two users may have equal lines; a file
 * with inserted lines is another file, so the state of an import has the fingerprint of its file.
 */
export function userIdOf(text: string, line: number): string {
  return idOfDigest(createHash('sha256').update(identified(text, line)).digest('hex'))
}
