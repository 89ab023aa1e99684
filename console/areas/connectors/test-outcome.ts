import type { SignUp } from '../../../src/contract/experience/experience.ts'
import type { IdentifierType } from '../../../src/contract/interactions/identifiers.ts'
import type { SocialProfile } from '../../../src/contract/interactions/interaction.ts'

/** Interprets the outcome of a sign-in test (spec/console#connectors). */

/**
 * Returns the identifiers that new users are asked for after their first sign-in, because sign-up requires them and
 * the provider didn't supply them.
 */
export function findMissingIdentifiers(profile: SocialProfile, { identifiers }: SignUp): IdentifierType[] {
  const isProvided = (type: IdentifierType) => type !== 'username' && profile[type] !== undefined
  const isEither = identifiers.includes('email') && identifiers.includes('phone')
  return identifiers.filter((type) => {
    if (isProvided(type)) return false
    // Either an email address or a phone number is enough (spec/experience#sign-up).
    return type === 'username' || !isEither || !(profile.email ?? profile.phone)
  })
}

const causes = [
  'cancelled',
  'otherIssuer',
  'sentBack',
  'noAnswer',
  'code',
  'profile',
  'idToken',
  'response',
  'config',
  'gone',
  'other',
] as const
type Cause = (typeof causes)[number]

/** Returns the reason why the test failed. The advice on how to fix it depends on this reason. */
export function findCause({ code, data }: { code: string; data?: unknown }): Cause {
  const providerError = readProviderError(data)
  switch (code) {
    case 'connector.authorization_failed':
      return providerError ? 'cancelled' : 'otherIssuer'
    case 'connector.general':
      return providerError ? 'sentBack' : 'noAnswer'
    case 'connector.social_auth_code_invalid':
      return 'code'
    case 'connector.social_invalid_access_token':
      return 'profile'
    case 'connector.social_invalid_id_token':
      return 'idToken'
    case 'connector.invalid_response':
      return 'response'
    case 'connector.invalid_config':
      return 'config'
    case 'entity.not_found':
      return 'gone'
    default:
      return 'other'
  }
}

/** Returns the error that the provider sent instead of a code (RFC 6749 §4.1.2.1). */
export function readProviderError(data: unknown): { error: string; description: string } | null {
  if (typeof data !== 'object' || data === null || !('error' in data)) return null
  const description = 'error_description' in data ? String(data.error_description) : ''
  return { error: String(data.error), description }
}
