/**
 * The problem with one value of a request, from a schema or from a rule of our own. A rule's message is a predicate
 * whose subject is the value, such as "is not a URL".
 */
export type Issue = {
  path: readonly PropertyKey[]
  message: string
  code?: string | undefined
  /** The type of a value that is too small or too big: `string`, `number`, `array`, … */
  origin?: string | undefined
  minimum?: number | bigint | undefined
  maximum?: number | bigint | undefined
  expected?: string | undefined
  format?: string | undefined
  values?: readonly unknown[] | undefined
  keys?: readonly string[] | undefined
  /** The problems of a key of a record. */
  issues?: readonly Issue[] | undefined
  /** For a union, the issues of each alternative, none of which matched. */
  errors?: readonly (readonly Issue[])[] | undefined
}

/**
 * Describes a problem in a sentence (spec/errors#invalid-input). It names the place of the value and never repeats the
 * value, which may be a secret.
 */
export const describeIssue = (issue: Issue): string => `${subjectOf(issue.path)} ${predicateOf(issue)}.`

const subjectOf = (path: Issue['path']) => (path.length > 0 ? quote(path.join('.')) : 'The body')

const quote = (name: unknown) => `\`${String(name)}\``

function predicateOf(issue: Issue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `has ${count(issue.keys?.length, 'an unknown key', 'unknown keys')}: ${list(issue.keys)}`
    case 'invalid_type':
      // The schema library reports a missing value as one of type `undefined`.
      return issue.message.endsWith('undefined') ? 'is required' : `must be ${typeNamed(issue.expected)}`
    case 'invalid_value':
      return `must be ${list(issue.values, 'or')}`
    case 'too_small':
      return describeBound(issue.origin, 'at least', issue.minimum)
    case 'too_big':
      return describeBound(issue.origin, 'at most', issue.maximum)
    case 'invalid_format':
      return ownMessage(issue) ?? `must be ${formats[issue.format ?? ''] ?? 'in the documented format'}`
    case 'invalid_union':
      return ownMessage(issue) ?? describeAlternatives(issue)
    case 'invalid_key':
    case 'invalid_element':
      return `is not a permitted key${issue.issues?.[0] ? `: it ${predicateOf(issue.issues[0])}` : ''}`
    default:
      return ownMessage(issue) ?? 'is not valid'
  }
}

/** Returns the message of a rule, or null for a message of the schema library, which addresses programmers. */
const ownMessage = ({ message }: Issue) => (/^Invalid\b/.test(message) ? null : message)

const types: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
}
const typeNamed = (type = '') => types[type] ?? 'of the documented type'

const formats: Readonly<Record<string, string>> = {
  url: 'a complete URL, such as https://example.com/path',
  email: 'an email address',
}

/** A limit applies to the characters of a text, the entries of a list, or a number itself. */
function describeBound(origin: string | undefined, relation: string, limit: Issue['minimum'] = 0): string {
  if (origin === 'string' && relation === 'at least' && Number(limit) === 1) return 'must not be empty'
  const amount = `${relation} ${limit}`
  const isOne = Number(limit)
  if (origin === 'string') return `must have ${amount} ${count(isOne, 'character', 'characters')}`
  if (origin === 'array') return `must have ${amount} ${count(isOne, 'entry', 'entries')}`
  return `must be ${amount}`
}

/**
 * Describes why a value matches no alternative of a union: by what is wrong with the alternative that the value
 * resembles, or by the properties that the alternatives require.
 */
function describeAlternatives({ errors = [] }: Issue): string {
  const [resembled] = errors.filter(
    (issues) => issues.length > 0 && issues.every((issue) => isAboutContent(issue)),
  )
  const [issue] = resembled ?? []
  if (issue) {
    const inner = predicateOf(issue)
    return issue.path.length > 0 ? `is not valid: ${quote(issue.path.join('.'))} ${inner}` : inner
  }
  const required = errors.map((issues) => issues.filter(isMissing).map(({ path }) => quote(path.join('.'))))
  const forms = [...new Set(required.filter((names) => names.length > 0).map((names) => names.join(' and ')))]
  if (forms.length > 0) return `must have ${forms.join(', or ')}`
  const permitted = errors.flat().filter(({ path }) => path.length === 0)
  const kinds = [...new Set(permitted.map(predicateOf).filter((text) => text.startsWith('must be ')))]
  return kinds.length > 0
    ? kinds.join(' or ').replaceAll(' or must be ', ' or ')
    : 'has none of the documented forms'
}

const isMissing = ({ code, message }: Issue) => code === 'invalid_type' && message.endsWith('undefined')

/** Reports whether a value has the right type for an alternative, but not the right content. */
const isAboutContent = (issue: Issue): boolean =>
  !['invalid_type', 'invalid_value', 'unrecognized_keys'].includes(issue.code ?? '')

const count = (number: number | undefined, one: string, several: string) => (number === 1 ? one : several)

function list(values: readonly unknown[] = [], conjunction = 'and'): string {
  const names = values.map((value) => (value === '' ? 'empty' : quote(value)))
  const last = names.pop() ?? 'one of the documented values'
  return names.length > 0 ? `${names.join(', ')} ${conjunction} ${last}` : last
}
