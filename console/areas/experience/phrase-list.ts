/** Texts under keys at any depth, as the phrases of pages are. */
export type Texts = { readonly [key: string]: string | Texts }

/** A list of all texts, by their keys with dots. */
export function flatten(texts: Texts, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') found[prefix + key] = value
    else Object.assign(found, flatten(value, `${prefix}${key}.`))
  }
  return found
}

/** The reverse. Empty texts are left out: the built-in ones apply. */
export function unflatten(list: Readonly<Record<string, string>>): Texts {
  const root: { [key: string]: string | Texts } = {}
  for (const [path, text] of Object.entries(list)) {
    if (text === '') continue
    const parts = path.split('.')
    const last = parts.pop() ?? ''
    let here = root
    for (const part of parts) {
      const next = here[part]
      const inner: { [key: string]: string | Texts } = typeof next === 'object' ? { ...next } : {}
      here[part] = inner
      here = inner
    }
    here[last] = text
  }
  return root
}

/** The keys whose name or whose texts have what is searched. */
export function searchKeys(search: string, lists: readonly Readonly<Record<string, string>>[]): string[] {
  const wanted = search.trim().toLowerCase()
  const keys = [...new Set(lists.flatMap((list) => Object.keys(list)))].sort()
  return keys.filter((key) =>
    [key, ...lists.map((list) => list[key] ?? '')].some((text) => text.toLowerCase().includes(wanted)),
  )
}
