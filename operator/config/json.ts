/** JSON values; an undefined property counts as missing. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

export type JsonPath = readonly string[]

/** RFC 6901. */
export const jsonPointer = (path: JsonPath): string =>
  path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const stringItems = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/** What a text says in JSON; undefined for a text that is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The leaf values by their paths. A list of scalars is one leaf. Undefined, null, empty lists and empty objects have no leaf, so
 * `description: null` and no description do not differ. A path for which `isWhole` answers true is one leaf.
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
