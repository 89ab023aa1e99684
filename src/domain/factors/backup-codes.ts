/** Codes for the day the authenticator app is gone (spec/accounts#backup-codes). */

/** So many are left that their user is warned. */
export const FEW_BACKUP_CODES = 2

export const BACKUP_CODES = 10
/** 80 bits each: sixteen letters of five bits. */
export const BACKUP_CODE_BYTES = 10

/** Crockford's: digits and capital letters without I, L, O and U, which are read as others. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 4

/** In groups of four, for people to copy. */
export function backupCodeOf(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = (bits.match(/.{5}/g) ?? []).map((group) => LETTERS[Number.parseInt(group, 2)]).join('')
  return (letters.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')
}

/** A code as it is compared: the mistakes that the alphabet leaves room for are none. Null for what is no code. */
export function readBackupCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(letters) ? letters : null
}
