/** Shorter ones are the beginning of too many other passwords. */
const MIN_WORD_LENGTH = 5

/**
 * The form in which passwords are compared with the most common ones (spec/accounts#compromised-passwords): in lower case,
 * and without the digits and signs that people put behind a word so that a rule is content. Of a word that is too short to
 * say anything, only the signs are left out.
 */
export function undecorated(password: string): string {
  const lowerCase = password.toLowerCase()
  const word = lowerCase.replace(/[^\p{L}]+$/u, '')
  if (word.length >= MIN_WORD_LENGTH) return word
  return lowerCase.replace(/[^\p{L}\p{N}]+$/u, '') || lowerCase
}
