type List = Readonly<Record<string, string | null>>

type SearchInput = {
  search: string
  /** The phrases to search, by key. */
  lists: readonly List[]
  /** The values that a page inserts for `{{name}}`, as far as the console knows them. */
  values?: Readonly<Record<string, string | undefined>>
  /** The keys that always match, so that a row doesn't disappear while its text is edited. */
  pinned?: readonly string[]
}

/**
 * Returns the keys that contain the search text, or whose phrases contain it as stored or as a page shows them.
 */
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

/**
 * The minimum number of characters before the first placeholder, or after the last one, by which a text can be
 * identified.
 */
const MIN_PART = 3

/**
 * Tells whether a text could match the search text once its placeholders are filled in. Only its beginning and end are
 * compared.
 */
function couldReadAs(text: string, needle: string): boolean {
  if (text.includes(needle)) return true
  const [first = '', ...others] = text.split(/\{\{\w+\}\}/)
  const last = others.at(-1)
  if (last === undefined) return false
  const isLongEnough = (part: string) => part.trim().length >= MIN_PART
  return (isLongEnough(first) && needle.startsWith(first)) || (isLongEnough(last) && needle.endsWith(last))
}

const MAX_SIMILAR = 5

/**
 * Returns the keys of other phrases that contain the text of this one as whole words. An operator who replaces a text
 * usually wants to change these, too.
 */
export function findSimilarKeys(key: string, phrases: Readonly<Record<string, string>>): string[] {
  const text = phrases[key]?.toLowerCase() ?? ''
  if (text.length < MIN_PART) return []
  const parts = (other: string) => other.toLowerCase().split(text)
  const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char)
  return Object.entries(phrases)
    .filter(([other, candidate]) => {
      const [before, after, ...more] = parts(candidate)
      if (other === key || before === undefined || after === undefined) return false
      return more.length > 0 || !(isWord(before.at(-1)) || isWord(after[0]))
    })
    .map(([other]) => other)
    .slice(0, MAX_SIMILAR)
}
