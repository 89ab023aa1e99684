/** Backup codes, for users who have lost their authenticator app (spec/accounts#backup-codes). */

/** Users are warned when they have this many codes or fewer left. */
export const LOW_BACKUP_CODE_COUNT = 2

export const BACKUP_CODE_COUNT = 10
/** The size of a code: 80 bits, encoded as sixteen characters of five bits each. */
export const BACKUP_CODE_BYTES = 10

/** Crockford's alphabet: digits and capital letters, without I, L, O and U, which are easily misread. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 4

/** Formats a code in groups of four, which are easier to copy. */
export function formatBackupCode(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = (bits.match(/.{5}/g) ?? []).map((group) => LETTERS[Number.parseInt(group, 2)]).join('')
  return (letters.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')
}

/** Normalizes a code for comparison and corrects easily misread characters. Returns null if the text is not a code. */
export function parseBackupCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(letters) ? letters : null
}
