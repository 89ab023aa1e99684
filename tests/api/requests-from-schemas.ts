import fc from 'fast-check'
import { oddText, oddValue } from './odd-values.ts'

/** The part of JSON Schema that the OpenAPI document uses. */
export type Schema = {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  propertyNames?: Schema
  $ref?: string
}

/** Returns a placeholder that the test replaces with the id of an existing entity in this collection. */
export const idOf = (collection: string) => `@${collection}@`

/** Generates a value that matches the schema. The server may still reject the value for other reasons. */
export function fittingValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => fittingValue(choice, name)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? 'any'].flat()
  return fc.oneof(...types.map((type) => fittingType(type, schema, name)))
}

function fittingType(type: string, schema: Schema, name: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(fittingValue(schema.items ?? {}, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      })
    case 'string':
      return textOf(schema, name)
    case 'integer':
      return integerOf(schema)
    case 'number':
      return fc.oneof(integerOf(schema), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return oddValue
  }
}

function objectOf({
  properties = {},
  required = [],
  additionalProperties,
  propertyNames,
}: Schema): fc.Arbitrary<unknown> {
  const declared = fc.record(
    Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, fittingValue(value, key)])),
    { requiredKeys: required },
  )
  if (!additionalProperties) return declared
  const others = fc.dictionary(
    propertyNames
      ? fc.oneof(fittingValue(propertyNames).map(String), fc.constantFrom('en', 'x'))
      : fc.oneof(fc.string({ maxLength: 10 }), oddText),
    typeof additionalProperties === 'object' ? fittingValue(additionalProperties) : oddValue,
    { maxKeys: 3 },
  )
  return fc.tuple(declared, others).map(([properties, more]) => ({ ...more, ...properties }))
}

const integerOf = ({ minimum, maximum, exclusiveMinimum }: Schema) =>
  fc.integer({
    min: Math.max(minimum ?? 0, exclusiveMinimum === undefined ? -(2 ** 31) : exclusiveMinimum + 1),
    max: Math.min(maximum ?? 10 ** 9, 2 ** 31 - 1),
  })

const texts: Record<string, fc.Arbitrary<string>> = {
  uri: fc.constantFrom('https://nowhere.invalid/', 'https://nowhere.invalid/a?b=c#d', 'http://localhost:1/'),
  date: fc.constantFrom('2026-11-21', '1969-12-31', '9999-12-31'),
  email: fc.integer({ min: 0, max: 9_999 }).map((number) => `a${number}@example.com`),
  phone: fc.integer({ min: 1_000, max: 9_999 }).map((number) => `49151${number}`),
}
const formats: Record<string, string> = { primaryEmail: 'email', primaryPhone: 'phone', 'idn-email': 'email' }

/** Generates a text. If the property name is known, half of the texts are plausible values for the property. */
function textOf(schema: Schema, name: string): fc.Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = 20 } = schema
  const format = formats[schema.format ?? name] ?? schema.format ?? name
  const collection = /^(\w+)Ids$/.exec(name)?.[1]
  const usual =
    texts[format] ??
    (collection === undefined
      ? fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 20)) })
      : fc.constant(idOf(`${collection}s`)))
  if (pattern === undefined) return usual
  return fc.oneof(usual, fc.stringMatching(new RegExp(pattern)))
}

/** Generates variants of a value in which one part is missing, added or replaced with an odd value. */
export function bentValue(value: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(value)
  return fc
    .tuple(
      fc.constantFrom(...places),
      fc.oneof(
        oddValue.map((odd) => ({ odd })),
        fc.constant('left out' as const),
        fc.tuple(oddText, oddValue).map(([key, odd]) => ({ key, odd })),
      ),
    )
    .map(([place, change]) => changeAt(value, place, change))
}

type Place = readonly string[]
type Change = 'left out' | { odd: unknown } | { key: string; odd: unknown }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function placesOf(value: unknown): Place[] {
  const entries = Array.isArray(value) ? value.entries() : isRecord(value) ? Object.entries(value) : []
  return [
    [],
    ...[...entries].flatMap(([key, inner]) => placesOf(inner).map((place) => [String(key), ...place])),
  ]
}

function changeAt(value: unknown, [first, ...rest]: Place, change: Change): unknown {
  if (first === undefined) {
    if (change === 'left out') return undefined
    if (!('key' in change)) return change.odd
    return isRecord(value) ? withKey(value, change.key, change.odd) : change.odd
  }
  if (Array.isArray(value))
    return value.map((inner, index) => (String(index) === first ? changeAt(inner, rest, change) : inner))
  return isRecord(value) ? withKey(value, first, changeAt(value[first], rest, change)) : value
}

/**
 * Returns the object with the key set, even if the key is `__proto__`, which an assignment would treat as the
 * prototype.
 */
const withKey = (value: Record<string, unknown>, key: string, inner: unknown) =>
  Object.fromEntries([...Object.entries(value), [key, inner]])

const brokenBodies = ['', '{', '[]', 'null', '"a"', '0', 'NaN', '\uFEFF{}', '{"a":1,}', '['.repeat(20_000)]

export type Body = { text: string; contentType: string | undefined }

/** Generates a JSON body. Variants of the documented example pass the server's first checks. */
export function bodyOf(schema: Schema, example: unknown): fc.Arbitrary<Body> {
  const fitting = fittingValue(schema)
  const values = fc.oneof(
    { weight: 3, arbitrary: fitting },
    { weight: 2, arbitrary: fitting.chain(bentValue) },
    { weight: 3, arbitrary: bentValue(example) },
    { weight: 1, arbitrary: fc.constant(example) },
    { weight: 1, arbitrary: oddValue },
  )
  return fc.record({
    text: fc.oneof(
      { weight: 9, arbitrary: values.map((value) => JSON.stringify(value) ?? '') },
      { weight: 1, arbitrary: fc.constantFrom(...brokenBodies) },
    ),
    contentType: fc.oneof(
      { weight: 15, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fc.constantFrom(undefined, 'text/plain', 'application/json; charset=latin1') },
    ),
  })
}

/** Generates a form with a file. Some parts of the form may be odd. */
export const formOf = (): fc.Arbitrary<Body> =>
  fc
    .record({
      boundary: mostly('x', fc.constantFrom('', '"', 'é')),
      field: mostly('file', oddText),
      filename: mostly('logo.gif', oddText),
      type: mostly('image/gif', fc.constantFrom('image/png', 'image/svg+xml', 'text/html', '', '\0')),
      content: mostly('GIF89a', oddText),
      end: mostly('--x--\r\n', fc.constantFrom('', '--')),
    })
    .map(({ boundary, field, filename, type, content, end }) => ({
      text:
        `--x\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\n` +
        `Content-Type: ${type}\r\n\r\n${content}\r\n${end}`,
      contentType: `multipart/form-data; boundary=${encodeURIComponent(boundary)}`,
    }))

const mostly = (usual: string, odd: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd })

/** Generates a path segment: usually an existing id, otherwise an odd text that does not add a segment. */
export function segmentOf(collection: string): fc.Arbitrary<string> {
  const raw = ['%00', '%2F', '%2e%2e%2f', '%ff', '%', '%E0%A4%A', '%20', '%0d%0a', 'a'.repeat(3_000), 'x']
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(idOf(collection)) },
    { weight: 1, arbitrary: fc.constantFrom(...raw) },
    { weight: 1, arbitrary: oddText.map((text) => encodeURIComponent(text.toWellFormed())) },
  )
}

export type Pair = readonly [name: string, value: string]

/** Generates query parameters: declared ones, some of them with odd values, and unknown ones. */
export function queryOf(declared: readonly { name: string; schema?: Schema }[]): fc.Arbitrary<Pair[]> {
  const declaredPairs = declared.map(({ name, schema = {} }) =>
    fc.tuple(fc.constant(name), fc.oneof(fittingValue(schema, name), oddValue)),
  )
  const unknownPair = fc.tuple(fc.oneof(oddText, fc.constantFrom('search.name', 'mode.id', 'a[b]')), oddValue)
  return fc
    .array(fc.oneof(...declaredPairs, unknownPair), { maxLength: declaredPairs.length > 0 ? 3 : 1 })
    .map((pairs) =>
      pairs.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
}
