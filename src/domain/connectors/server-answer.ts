import { inAnyCase, maskQuotedSecrets } from '../masking.ts'

/** The maximum length of an answer, in characters: a line or two. Our choice. */
const MAX_LENGTH = 200
/** The characters of an answer that are read. Masks may shorten them to `MAX_LENGTH`. */
const READ_LENGTH = 2_000
const MASK = '******'

const LONG_WORD = /[\w+/=-]{20,}/g
/** Tokens and encoded credentials have both lower-case and other characters. */
const isToken = (word: string) => /[a-z]/.test(word) && /[\dA-Z]/.test(word)

const ADDRESS = /[^\s<>"'(){}:,;@]+@[^\s<>"'(){}:,;@]+/g
/** Seven digits or more, which the server may have grouped. */
const PHONE = /\+?\d(?:[ ()-]{0,2}\d){6,}/g
/** The argument of `AUTH` contains the user and the password, which may be too short for `LONG_WORD`. */
const LOGIN = /\b(AUTH +(?:PLAIN|LOGIN)) +\S+/gi

/**
 * Returns a mail server's or a provider's answer as one short line without secrets, for operators and for the log
 * (spec/connectors#failure-reasons). The server may quote what it received: longer texts of `sent`, and all of
 * `secrets`, however short they are and in whatever case.
 */
export function shortenAnswer(
  answer: string,
  { sent, secrets }: { sent: unknown; secrets: readonly string[] },
): string {
  // The last word that was read may be the beginning of a secret.
  const text = answer.length > READ_LENGTH ? answer.slice(0, READ_LENGTH).replace(/\S+$/, '') : answer
  const masked = secrets
    .filter((secret) => secret !== '')
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(inAnyCase(secret), MASK), String(maskQuotedSecrets(text, sent)))
  const line = masked
    .replaceAll(LOGIN, `$1 ${MASK}`)
    .replaceAll(ADDRESS, MASK)
    .replaceAll(PHONE, MASK)
    .replaceAll(LONG_WORD, (word) => (isToken(word) ? MASK : word))
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1).trimEnd()}…` : line
}
