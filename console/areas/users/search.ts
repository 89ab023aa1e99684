/** The API finds no fewer characters inside a text (spec/management#search). */
const SHORTEST_INSIDE = 3

/** What a user types, as the value of `search`: three characters are found anywhere, fewer at the beginning. */
export function searchPattern(typed: string): string {
  const text = typed.trim()
  if (text === '') return ''
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return [...text].length < SHORTEST_INSIDE ? `${literal}%` : `%${literal}%`
}

type Named = {
  id: string
  name: string | null
  username: string | null
  primaryEmail: string | null
  primaryPhone: string | null
}

/** What a user is called where one line has to do. */
export const nameOf = ({ id, name, username, primaryEmail, primaryPhone }: Named): string =>
  name || username || primaryEmail || primaryPhone || id
