type List = Readonly<Record<string, string | null>>

type SearchInput = {
  search: string
  /** Texts by their keys. */
  lists: readonly List[]
  /** What a page puts in the place of `{{name}}`, as far as it is known here. */
  values?: Readonly<Record<string, string | undefined>>
  /** Keys that are found in any case: a row that is edited stays, whatever its text becomes. */
  pinned?: readonly string[]
}

/** The keys whose name or whose texts have what is searched, as they are stored or as a page shows them. */
export function searchKeys({ search, lists, values = {}, pinned = [] }: SearchInput): string[] {
  const needle = search.trim().toLowerCase()
  const keys = [...new Set(lists.flatMap((list) => Object.keys(list)))].sort()
  const filled = (text: string) =>
    text.replace(PLACEHOLDER, (whole, name: string) => values[name]?.toLowerCase() ?? whole)
  return keys.filter((key) => {
    const texts = [key, ...lists.map((list) => list[key] ?? '')].map((text) => text.toLowerCase())
    return (
      pinned.includes(key) || texts.some((text) => text.includes(needle) || couldReadAs(filled(text), needle))
    )
  })
}

const PLACEHOLDER = /\{\{(\w+)\}\}/g

/** A part of a text that says something about the whole. */
const MIN_PART = 3

/** Whether a text with values in its placeholders may read so: what is known of it are its two ends. */
function couldReadAs(text: string, needle: string): boolean {
  if (text.includes(needle)) return true
  const [first = '', ...others] = text.split(/\{\{\w+\}\}/)
  const last = others.at(-1)
  if (last === undefined) return false
  const isLongEnough = (part: string) => part.trim().length >= MIN_PART
  return (isLongEnough(first) && needle.startsWith(first)) || (isLongEnough(last) && needle.endsWith(last))
}
