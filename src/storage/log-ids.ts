import { ID_ALPHABET, ID_LENGTH } from '../contract/ids.ts'
import { randomId } from './ids.ts'

/**
 * The ids of audit rows begin with the time of the row, so that the primary key lists the rows in their order and no
 * further index has to (spec/storage#log-ids, ADR-0189). No other table may have such ids, because they can be guessed
 * more easily and tell when a row was written.
 */

/** Begins every id with a time. It sorts after the first character of all other ids, which are random or digests. */
export const TIMED_ID_MARK = '~'

/** Eight characters of base 62 are enough milliseconds for 6,900 years. */
const TIME_LENGTH = 8
const LAST_TIME = ID_ALPHABET.length ** TIME_LENGTH - 1

/** Returns a new id for a row with this time, in epoch milliseconds. */
export const newLogId = (createdAt: number): string =>
  firstLogId(createdAt) + randomId(ID_LENGTH - TIMED_ID_MARK.length - TIME_LENGTH)

/** Returns a text that sorts after all ids with an earlier time, and before all ids with this time or a later one. */
export function firstLogId(time: number): string {
  let rest = Math.min(Math.max(time, 0), LAST_TIME)
  let digits = ''
  while (digits.length < TIME_LENGTH) {
    digits = ID_ALPHABET.charAt(rest % ID_ALPHABET.length) + digits
    rest = Math.floor(rest / ID_ALPHABET.length)
  }
  return TIMED_ID_MARK + digits
}
