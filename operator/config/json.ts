/** A JSON value. An undefined property is equivalent to a missing one. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

export type JsonPath = readonly string[]

/** Returns the JSON pointer of a path (RFC 6901). */
export const jsonPointer = (path: JsonPath): string =>
  path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const stringItems = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/** Parses a text as JSON. Returns undefined if the text is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the leaf values with their paths. A list of scalars is a single leaf, and so is any value for whose path
 * `isWhole` returns true. Undefined, null, empty lists and empty objects have no leaves, so `description: null` is
 * equivalent to a missing description.
 */
export function leafValues(
  value: JsonValue | undefined,
  isWhole: (path: JsonPath) => boolean = () => false,
  path: JsonPath = [],
): { path: JsonPath; value: JsonValue }[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) {
    if (value.length === 0) return []
    if (isWhole(path)) return [{ path, value }]
    if (value.some((item) => typeof item === 'object' && item !== null))
      return value.flatMap((item: JsonValue, index) => leafValues(item, isWhole, [...path, String(index)]))
    return [{ path, value }]
  }
  if (!isObject(value)) return [{ path, value }]
  if (isWhole(path) && Object.keys(value).length > 0) return [{ path, value }]
  return Object.entries(value).flatMap(([key, item]) => leafValues(item, isWhole, [...path, key]))
}
