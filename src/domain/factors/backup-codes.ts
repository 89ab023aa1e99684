/** Backup codes, for users who have lost their authenticator app (spec/accounts#backup-codes). */

/** Users are warned when they have this many codes or fewer left. */
export const LOW_BACKUP_CODE_COUNT = 2

export const BACKUP_CODE_COUNT = 10
/**
 * The length of a code: ten characters of five bits each. 50 random bits are enough, because only the server can check
 * a code, and it counts attempts.
 */
export const BACKUP_CODE_LENGTH = 10

/** Crockford's alphabet: digits and capital letters, without I, L, O and U, which are easily misread. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const HALF = BACKUP_CODE_LENGTH / 2

/** Formats a code in two groups, which are easier to copy. Each random byte determines one character. */
export function formatBackupCode(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('')
  return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`
}

/** Matches codes, and those of sixteen characters that earlier versions created. */
const CODE = /^(?:[0-9A-HJKMNP-TV-Z]{10}|[0-9A-HJKMNP-TV-Z]{16})$/

/** Normalizes a code for comparison and corrects easily misread characters. Returns null if the text is not a code. */
export function parseBackupCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return CODE.test(letters) ? letters : null
}
