/** The minimum length of a significant word. Too many other passwords begin with a shorter word. */
const MIN_WORD_LENGTH = 5

/**
 * Returns the form in which a password is compared with the most common passwords
 * (spec/accounts#compromised-passwords): in lower case, without the digits and punctuation that people append to a word
 * to satisfy a rule. If the remaining word is too short to be significant, only the punctuation is removed.
 */
export function stripDecoration(password: string): string {
  const lowerCase = password.toLowerCase()
  const word = lowerCase.replace(/[^\p{L}]+$/u, '')
  if (word.length >= MIN_WORD_LENGTH) return word
  return lowerCase.replace(/[^\p{L}\p{N}]+$/u, '') || lowerCase
}
