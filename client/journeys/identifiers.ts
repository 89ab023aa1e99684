import type { BootData } from '../../src/contract/interactions/boot.ts'
import { parseEmailAddress } from '../../src/contract/interactions/email-address.ts'
import {
  IDENTIFIER_MAX_LENGTH,
  type Identifier,
  type IdentifierType,
} from '../../src/contract/interactions/identifiers.ts'
import { guessIdentifierType } from '../../src/domain/experience/experience-rules.ts'
import { findUsernameProblem } from '../../src/domain/users/username-rules.ts'
import { createTranslator, joinSentences, type Translate } from '../context/phrases.ts'
import {
  COUNTRY_CODE_FIELD,
  getLoadedNumberingPlans,
  loadNumberingPlans,
  stripPunctuation,
} from '../phones/phones.ts'
import type { FormValues } from '../reactions/reactions.ts'
import { identifierNames } from './identifier-names.ts'

export type IdentifierForm = {
  form: FormValues
  boot: Pick<BootData, 'language' | 'phrases' | 'country'>
  /** The identifier types that the field accepts. */
  accepted: readonly IdentifierType[]
  /**
   * Use `known` for identifiers that users sign in with. Their error message names all types (spec/pages#validation),
   * and existing usernames may violate the current rules, except that none contains a space.
   */
  purpose?: 'new' | 'known'
}

type IdentifierRead = { kind: 'identifier'; identifier: Identifier } | { kind: 'problem'; message: string }

/**
 * Reads the identifier from a form. Its type is guessed from the text, and its value is normalized for sending
 * (spec/pages#identifier-field).
 */
export async function readIdentifier(input: IdentifierForm): Promise<IdentifierRead> {
  if (typeOf(input) === 'phone') await loadNumberingPlans()
  return read(input)
}

/**
 * Returns the problem with a field that loses focus. A phone number has no problem until the numbering plans are
 * loaded.
 */
export function findIdentifierProblem(input: IdentifierForm): string | null {
  if (textOf(input) !== '' && typeOf(input) === 'phone' && !getLoadedNumberingPlans()) return null
  const identifier = read(input)
  return identifier.kind === 'problem' ? identifier.message : null
}

function read(input: IdentifierForm): IdentifierRead {
  const t = createTranslator(input.boot)
  const text = textOf(input)
  if (text === '') return { kind: 'problem', message: generalMessage(input, t, 'error.general_required') }

  const type = typeOf(input) ?? input.accepted[0] ?? 'username'
  const value = sentValue(type, text, input)
  if (value !== null) return { kind: 'identifier', identifier: { type, value } }
  return {
    kind: 'problem',
    message:
      input.purpose === 'known' ? knownMessage(type, text, input, t) : detailedMessage(type, text, input, t),
  }
}

const textOf = ({ form }: IdentifierForm) => form.identifier?.trim() ?? ''

/** Guesses the type of the text. If the form contains a calling code, a number is a phone number, however short. */
const typeOf = (input: IdentifierForm) =>
  guessIdentifierType(
    stripPunctuation(textOf(input)),
    input.accepted,
    input.form[COUNTRY_CODE_FIELD] ? 'phone' : null,
  )

/** Returns the value to send, or null if the text is not an identifier of the type. */
function sentValue(
  type: IdentifierType,
  text: string,
  { form, boot, purpose }: IdentifierForm,
): string | null {
  if (type !== 'phone' && text.length > IDENTIFIER_MAX_LENGTH) return null
  switch (type) {
    case 'username':
      return (purpose === 'known' ? !/\s/.test(text) : findUsernameProblem(text) === null) ? text : null
    case 'email':
      return parseEmailAddress(text)
    case 'phone': {
      const phones = getLoadedNumberingPlans()
      const number = phones?.parsePhone(text, form[COUNTRY_CODE_FIELD] || phones.getHomeCountry(boot).code)
      return number ? number.callingCode + number.national : null // digits only (spec/accounts#phone)
    }
  }
}

/** Returns the message for an identifier that no account can have. An email address gets an example. */
function knownMessage(type: IdentifierType, text: string, input: IdentifierForm, t: Translate): string {
  const message = generalMessage(input, t, 'error.general_invalid')
  return type === 'email' && text.includes('@')
    ? joinSentences(input.boot.language, message, t('vestibule.email_example'))
    : message
}

function detailedMessage(type: IdentifierType, text: string, input: IdentifierForm, t: Translate): string {
  switch (type) {
    case 'username': {
      const reason = findUsernameProblem(text)
      return reason
        ? t(`error.${reason}`)
        : generalMessage({ ...input, accepted: [type] }, t, 'error.general_invalid')
    }
    case 'email':
      return t('error.invalid_email')
    case 'phone':
      return t('error.invalid_phone')
  }
}

/**
 * Formats messages such as "Email or phone number is required". The names are lower case within a sentence, so
 * the first letter is capitalized.
 */
function generalMessage(
  { accepted, boot }: IdentifierForm,
  t: Translate,
  key: 'error.general_required' | 'error.general_invalid',
): string {
  const text = t(key, { types: accepted.map((type) => t(identifierNames[type])) })
  return text.charAt(0).toLocaleUpperCase(boot.language) + text.slice(1)
}
