import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { UNSTORABLE } from '../../contract/text.schema.ts'

/** Text without NUL characters, in a pattern that every JSON Schema validator understands. */
const STORABLE_PATTERN = '^[^\\u0000]*$'

type Schema = z.core.$ZodType

/**
 * Adds the rules of request schemas that JSON Schema cannot express to their descriptions (spec/management#openapi). A
 * rule's message is a predicate, such as "is not a known language tag". Returns a function that takes the descriptions
 * back, because other documents describe the same schemas without them.
 */
export function describeRules({ openAPIRegistry }: Pick<OpenAPIHono, 'openAPIRegistry'>): () => void {
  const described = new Map<Schema, z.core.GlobalMeta | undefined>()
  for (const definition of openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const { request = {} } = definition.route
    const bodies = Object.values(request.body?.content ?? {}).map((media) =>
      media && 'schema' in media ? media.schema : undefined,
    )
    for (const schema of [...bodies, request.query, request.params])
      if (schema instanceof z.ZodType) describeWithParts(schema, described)
  }
  return () => {
    for (const [schema, meta] of described) {
      if (meta) z.globalRegistry.add(schema, meta)
      else z.globalRegistry.remove(schema)
    }
  }
}

function describeWithParts(schema: Schema, described: Map<Schema, z.core.GlobalMeta | undefined>): void {
  if (described.has(schema)) return
  described.set(schema, z.globalRegistry.get(schema))
  for (const part of partsOf(schema)) describeWithParts(part, described)
  const rules = rulesOf(schema)
  const keys = keysOf(schema)
  if (rules.length === 0 && !keys) return
  const known = z.globalRegistry.get(schema) ?? {}
  const keyRules = keys ? rulesOf(keys).map(({ message }) => ({ message, subject: 'a key' })) : []
  const stated = [...rules, ...keyRules].filter(({ message }) => message !== UNSTORABLE)
  const sentences = stated.map(toSentence)
  const missing = sentences.filter((sentence) => !known.description?.includes(sentence))
  const description = [known.description, ...missing].filter(Boolean).join(' ')
  const isStorableText = rules.some(({ message }) => message === UNSTORABLE)
  z.globalRegistry.add(schema, {
    ...known,
    ...(description ? { description } : {}),
    // A derived schema would inherit the pattern of the schema from which it is derived.
    ...(keys ? { propertyNames: { type: 'string', ...boundsOf(keys) } } : {}),
    ...(isStorableText ? { pattern: patternOf(schema) ?? STORABLE_PATTERN } : {}),
  })
}

/** Returns the schema of the keys of a record, unless they are listed or may be anything. */
function keysOf(schema: Schema): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type !== 'record' || def.keyType._zod.def.type !== 'string') return undefined
  return (def.keyType._zod.def.checks ?? []).length > 0 ? def.keyType : undefined
}

/** Returns the bounds of a key in JSON Schema. */
function boundsOf(keys: Schema) {
  const { maximum } = keys._zod.bag
  const isStorableText = rulesOf(keys).some(({ message }) => message === UNSTORABLE)
  const pattern = patternOf(keys) ?? (isStorableText ? STORABLE_PATTERN : undefined)
  return { ...(pattern ? { pattern } : {}), ...(typeof maximum === 'number' ? { maxLength: maximum } : {}) }
}

/** A rule, and what it is about: the value itself, one of its properties, or its keys. */
type Rule = { message: string; subject: string }

function rulesOf({ _zod: { def } }: Schema): Rule[] {
  return (def.checks ?? []).flatMap((check) => {
    const { def: rule } = check._zod
    if (rule.check !== 'custom') return []
    const message = rule.error?.({ code: 'custom', input: undefined, inst: check, path: [] } as never)
    const path = 'path' in rule && Array.isArray(rule.path) ? rule.path : []
    const subject = path.length > 0 ? `\`${path.join('.')}\`` : 'it'
    return typeof message === 'string' ? [{ message, subject }] : []
  })
}

const patternOf = ({ _zod: { def } }: Schema): string | undefined =>
  (def.checks ?? [])
    .map(({ _zod }) =>
      'pattern' in _zod.def && _zod.def.pattern instanceof RegExp ? _zod.def.pattern.source : undefined,
    )
    .find((pattern) => pattern !== undefined)

/** Words a rule: "It must use https.", or "Rejected if it is not a URL." for what a value must not be. */
function toSentence({ message, subject }: Rule): string {
  const isDemand = /^(?:must|may|needs|is required)\b/.test(message)
  const sentence = isDemand ? `${subject} ${message}.` : `Rejected if ${subject} ${message}.`
  return sentence.replace(/^[ai]/, (letter) => letter.toUpperCase())
}

/** Returns the schemas of which a schema is composed. */
function partsOf(schema: Schema): Schema[] {
  const def = (schema as z.core.$ZodTypes)._zod.def
  switch (def.type) {
    case 'object':
      return Object.values(def.shape)
    case 'array':
      return [def.element]
    case 'record':
      return [def.keyType, def.valueType]
    case 'union':
      return [...def.options]
    case 'intersection':
      return [def.left, def.right]
    case 'pipe':
      return [def.in, def.out]
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
      return [def.innerType]
    default:
      return []
  }
}
