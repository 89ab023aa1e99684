import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import type { PhraseKey } from '../context/phrases.ts'

/** The labels of identifier fields, by the accepted types in alphabetical order. */
const labels: Readonly<Record<string, PhraseKey>> = {
  email: 'input.email',
  phone: 'input.phone_number',
  email_phone: 'vestibule.by_email_phone',
  email_username: 'vestibule.by_email_username',
  phone_username: 'vestibule.by_phone_username',
  email_phone_username: 'vestibule.by_email_phone_username',
}

/** Returns a label that names exactly the types that the field accepts (spec/pages#identifier-field). */
export const identifierLabel = (accepted: readonly IdentifierType[]): PhraseKey =>
  labels[[...accepted].sort().join('_')] ?? 'input.username'

/** The names of the identifier types as they appear within a sentence. */
export const identifierNames = {
  username: 'description.username',
  email: 'description.email',
  phone: 'description.phone_number',
} as const satisfies Record<IdentifierType, PhraseKey>
