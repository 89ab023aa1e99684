/** Values as JSON has them; what is undefined is not there. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }
export type Item = { readonly [key: string]: Json | undefined }

export type Path = readonly string[]

/** RFC 6901. */
export const pointer = (path: Path): string =>
  path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const isObject = (value: Json | undefined): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Every value that is not made of others, by its path. A list of plain values is one value; nothing, null and what is
 * empty are the same: none. So `description: null` and no description do not differ, and neither do `{}` and nothing.
 * What `isWhole` says of a path is one value, whatever it is made of.
 */
export function leaves(
  value: Json | undefined,
  isWhole: (path: Path) => boolean = () => false,
  path: Path = [],
): { path: Path; value: Json }[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) {
    if (value.length === 0) return []
    if (isWhole(path)) return [{ path, value }]
    if (value.some((item) => typeof item === 'object' && item !== null))
      return value.flatMap((item: Json, index) => leaves(item, isWhole, [...path, String(index)]))
    return [{ path, value }]
  }
  if (!isObject(value)) return [{ path, value }]
  if (isWhole(path) && Object.keys(value).length > 0) return [{ path, value }]
  return Object.entries(value).flatMap(([key, item]) => leaves(item, isWhole, [...path, key]))
}
