import type { IdentifierType } from '../../src/contract/identifiers.ts'
import type { PhraseKey } from '../app/phrases.ts'

/** The names of identifiers as labels. */
export const identifierLabels = {
  username: 'input.username',
  email: 'input.email',
  phone: 'input.phone_number',
} as const satisfies Record<IdentifierType, PhraseKey>

/** The names of identifiers inside sentences. */
export const identifierNames = {
  username: 'description.username',
  email: 'description.email',
  phone: 'description.phone_number',
} as const satisfies Record<IdentifierType, PhraseKey>
