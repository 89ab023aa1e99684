import { parseEmailAddress } from '../../contract/interactions/email-address.ts'
import {
  IDENTIFIER_MAX_LENGTH,
  type Identifier,
  PHONE_PATTERN,
  USERNAME_PATTERN,
} from '../../contract/interactions/identifiers.ts'

/**
 * Returns the identifier with which to prefill the first field (OIDC Core §3.1.2.1, spec/provider#login-hint): an email
 * address, a phone number in E.164 format, or a username. Returns null for any other text. The page checks whether the
 * tenant accepts this type.
 */
export function parseLoginHint(hint: string): Identifier | null {
  const text = hint.trim()
  if (text.length > IDENTIFIER_MAX_LENGTH) return null
  const email = text.includes('@') ? parseEmailAddress(text) : null
  if (email !== null) return { type: 'email', value: email }
  if (text.startsWith('+') && PHONE_PATTERN.test(text.slice(1)))
    return { type: 'phone', value: text.slice(1) }
  return USERNAME_PATTERN.test(text) ? { type: 'username', value: text } : null
}
