import type { ConsoleLanguage } from '../phrases.ts'
import { germanProblems } from './problem-words-de.ts'

/** The server's description of the problem with one value of a request (spec/errors#invalid-input). */
export type Issue = {
  path: readonly (string | number)[]
  message: string
  code?: string
  /** The type of the value: `string`, `number`, `array`, … */
  origin?: string
  minimum?: number
  maximum?: number
  expected?: string
  format?: string
  values?: readonly unknown[]
  keys?: readonly string[]
}

/**
 * Describes a problem in a sentence without a subject, because the field is the subject. The schema library's
 * sentences address developers, so the console rewords them; our own sentences are translated one by one.
 */
export function describeProblem(issue: Issue, language: ConsoleLanguage): string {
  const general = describeSchemaProblem(issue)
  if (general) return general[language]
  return translations[language][issue.message] ?? issue.message
}

const translations: Readonly<Record<ConsoleLanguage, Readonly<Record<string, string>>>> = {
  /** Messages that name a setting. The console says where it is. */
  en: {
    'is on a private network, which the setting allowPrivateTargets has to allow':
      'This address is on a private network. Allow such addresses under Settings > URLs and files.',
    'is an http URL, which the setting allowPrivateTargets has to allow':
      'This address uses unencrypted http. Allow such addresses under Settings > URLs and files.',
  },
  de: germanProblems,
}

type Words = Record<ConsoleLanguage, string>

function describeSchemaProblem({ code, message, ...issue }: Issue): Words | null {
  switch (code) {
    case 'invalid_type':
      return message.endsWith('undefined') ? missing : (wrongTypes[issue.expected ?? ''] ?? wrongType)
    case 'too_small':
      return describeBound(issue.origin, { limit: issue.minimum ?? 0, isUpper: false })
    case 'too_big':
      return describeBound(issue.origin, { limit: issue.maximum ?? 0, isUpper: true })
    case 'invalid_format':
      // A message of the schema library begins with "Invalid"; any other is that of a rule of our own.
      return message.startsWith('Invalid') ? (formats[issue.format ?? ''] ?? wrongFormat) : null
    case 'invalid_value': {
      const list = (issue.values ?? []).join(', ')
      return { en: `must be one of: ${list}`, de: `muss eines davon sein: ${list}` }
    }
    case 'unrecognized_keys': {
      const list = (issue.keys ?? []).join(', ')
      return { en: `has unknown keys: ${list}`, de: `hat unbekannte Schlüssel: ${list}` }
    }
    case 'invalid_union':
      return message.startsWith('Invalid') ? wrongFormat : null
    default:
      return null
  }
}

const missing: Words = { en: 'is required', de: 'wird benötigt' }
const wrongType: Words = { en: 'has the wrong type', de: 'hat den falschen Typ' }
const wrongFormat: Words = { en: 'is not in the right format', de: 'hat nicht das richtige Format' }

const wrongTypes: Readonly<Record<string, Words>> = {
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

/**
 * The limit applies to the number of characters of a text, the number of entries of a list, or the number itself.
 */
function describeBound(origin: string | undefined, { limit, isUpper }: Bound): Words {
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
