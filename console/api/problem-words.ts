import type { ConsoleLanguage, TranslatedLanguage } from '../phrases.ts'
import { germanProblems } from './problem-words-de.ts'

/** What the server says of one value of a request (spec/errors#invalid-input). */
export type Issue = {
  path: readonly (string | number)[]
  message: string
  code?: string
  /** Of what kind the value is: `string`, `number`, `array`, … */
  origin?: string
  minimum?: number
  maximum?: number
  expected?: string
  format?: string
  values?: readonly unknown[]
  keys?: readonly string[]
}

/**
 * A sentence without its subject, which the field is. The rules of forms are the schema's, whose own sentences speak to developers;
 * the others are ours and are translated one by one.
 */
export function problemInWords(issue: Issue, language: ConsoleLanguage): string {
  const general = generalProblem(issue)
  if (general) return general[language]
  return language === 'en' ? issue.message : (translated[language][issue.message] ?? issue.message)
}

const translated: Readonly<Record<TranslatedLanguage, Readonly<Record<string, string>>>> = {
  de: germanProblems,
}

type Words = Record<ConsoleLanguage, string>

function generalProblem({ code, message, ...issue }: Issue): Words | null {
  switch (code) {
    case 'invalid_type':
      return message.endsWith('undefined') ? missing : (ofKind[issue.expected ?? ''] ?? otherKind)
    case 'too_small':
      return outside(issue.origin, { limit: issue.minimum ?? 0, isUpper: false })
    case 'too_big':
      return outside(issue.origin, { limit: issue.maximum ?? 0, isUpper: true })
    case 'invalid_format':
      return formats[issue.format ?? ''] ?? otherForm
    case 'invalid_value': {
      const list = (issue.values ?? []).join(', ')
      return { en: `must be one of: ${list}`, de: `muss eines davon sein: ${list}` }
    }
    case 'unrecognized_keys': {
      const list = (issue.keys ?? []).join(', ')
      return { en: `has keys that are not known: ${list}`, de: `hat unbekannte Schlüssel: ${list}` }
    }
    case 'invalid_union':
      return otherForm
    default:
      return null
  }
}

const missing: Words = { en: 'is needed', de: 'wird benötigt' }
const otherKind: Words = { en: 'is of another type', de: 'hat einen anderen Typ' }
const otherForm: Words = { en: 'does not have the right form', de: 'hat nicht die richtige Form' }

const ofKind: Readonly<Record<string, Words>> = {
  number: { en: 'must be a number', de: 'muss eine Zahl sein' },
  int: { en: 'must be a whole number', de: 'muss eine ganze Zahl sein' },
  string: { en: 'must be text', de: 'muss ein Text sein' },
  boolean: { en: 'must be true or false', de: 'muss wahr oder falsch sein' },
}

const formats: Readonly<Record<string, Words>> = {
  url: { en: 'is not a URL', de: 'ist keine URL' },
  email: { en: 'is not an email address', de: 'ist keine E-Mail-Adresse' },
}

type Bound = { limit: number; isUpper: boolean }

/** Characters of a text, entries of a list, or the number itself. */
function outside(origin: string | undefined, { limit, isUpper }: Bound): Words {
  if (origin === 'string' && !isUpper && limit === 1)
    return { en: 'must not be empty', de: 'darf nicht leer sein' }
  const en = `${isUpper ? 'at most' : 'at least'} ${limit.toLocaleString('en')}`
  const de = `${isUpper ? 'höchstens' : 'mindestens'} ${limit.toLocaleString('de')}`
  switch (origin) {
    case 'string':
      return {
        en: `must have ${en} ${limit === 1 ? 'character' : 'characters'}`,
        de: `muss ${de} Zeichen haben`,
      }
    case 'array':
      return {
        en: `must have ${en} ${limit === 1 ? 'entry' : 'entries'}`,
        de: `muss ${de} ${limit === 1 ? 'Eintrag' : 'Einträge'} haben`,
      }
    default:
      return { en: `must be ${en}`, de: `muss ${de} sein` }
  }
}
