type List = Readonly<Record<string, string | null>>

/** The keys whose name or whose texts have what is searched, among those of the lists. */
export function searchKeys(search: string, lists: readonly List[]): string[] {
  const wanted = search.trim().toLowerCase()
  const keys = [...new Set(lists.flatMap((list) => Object.keys(list)))].sort()
  return keys.filter((key) =>
    [key, ...lists.map((list) => list[key] ?? '')].some((text) => text.toLowerCase().includes(wanted)),
  )
}
