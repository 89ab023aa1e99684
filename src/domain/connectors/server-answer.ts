import { maskQuotedSecrets } from '../masking.ts'

/** The maximum length of an answer, in characters: a line or two. Our choice. */
const MAX_LENGTH = 200
const MASK = '******'

/** Matches words that may be tokens or encoded credentials: long, and of both lower-case and other characters. */
const TOKEN = /(?=[\w+/=-]*[\dA-Z])(?=[\w+/=-]*[a-z])[\w+/=-]{20,}/g

/**
 * Returns a mail server's or a provider's answer as one short line without secrets, for operators and for the log
 * (spec/connectors#failure-reasons). The server may quote what it received: longer texts of `sent`, and all of
 * `secrets`, however short they are.
 */
export function shortenAnswer(
  answer: string,
  { sent, secrets }: { sent: unknown; secrets: readonly string[] },
): string {
  const masked = secrets
    .filter((secret) => secret !== '')
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, secret) => text.replaceAll(secret, MASK), String(maskQuotedSecrets(answer, sent)))
  const line = masked
    .replaceAll(TOKEN, MASK)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1).trimEnd()}…` : line
}
