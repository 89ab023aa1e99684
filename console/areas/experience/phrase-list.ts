type List = Readonly<Record<string, string | null>>

type Searched = {
  search: string
  /** Texts by their keys. */
  lists: readonly List[]
  /** What a page puts in the place of `{{name}}`, as far as it is known here. */
  values?: Readonly<Record<string, string | undefined>>
  /** Keys that are found in any case: a row that is edited stays, whatever its text becomes. */
  kept?: readonly string[]
}

/** The keys whose name or whose texts have what is searched, as they are stored or as a page shows them. */
export function searchKeys({ search, lists, values = {}, kept = [] }: Searched): string[] {
  const wanted = search.trim().toLowerCase()
  const keys = [...new Set(lists.flatMap((list) => Object.keys(list)))].sort()
  const filled = (text: string) =>
    text.replace(PLACEHOLDER, (whole, name: string) => values[name]?.toLowerCase() ?? whole)
  return keys.filter((key) => {
    const texts = [key, ...lists.map((list) => list[key] ?? '')].map((text) => text.toLowerCase())
    return (
      kept.includes(key) || texts.some((text) => text.includes(wanted) || mayReadAs(filled(text), wanted))
    )
  })
}

const PLACEHOLDER = /\{\{(\w+)\}\}/g

/** A part of a text that says something about the whole. */
const LEAST_PART = 3

/** Whether a text with values in its placeholders may read so: what is known of it are its two ends. */
function mayReadAs(text: string, wanted: string): boolean {
  if (text.includes(wanted)) return true
  const [first = '', ...others] = text.split(/\{\{\w+\}\}/)
  const last = others.at(-1)
  if (last === undefined) return false
  const isSaying = (part: string) => part.trim().length >= LEAST_PART
  return (isSaying(first) && wanted.startsWith(first)) || (isSaying(last) && wanted.endsWith(last))
}
