import type { NamedUser } from '../users/name-of.ts'

/** Separates the name of a user or an application from the id. Names rarely contain it, and ids never do. */
const SEPARATOR = ' · '

export type Party = { id: string; name: string }

/** Returns the text that stands for a user or an application in a field: the name with the id, or only the id. */
export const formatParty = ({ id, name }: Party): string =>
  name && name !== id ? `${name}${SEPARATOR}${id}` : id

/** Offers a user under all names, so that the browser finds any of them in what is typed. */
export const toParty = ({ id, name, username, primaryEmail, primaryPhone }: NamedUser): Party => ({
  id,
  name: [name, username, primaryEmail, primaryPhone].filter(Boolean).join(', '),
})

/** Returns the id in a complete text, or null while a name is being typed. */
export const readPartyId = (text: string): string | null =>
  text.includes(SEPARATOR) ? (text.split(SEPARATOR).at(-1)?.trim() ?? '') : text.trim() === '' ? '' : null

/**
 * Returns the id for a text once typing has ended: that of the only party with this name, or else the text, which is
 * then an id itself.
 */
export function resolveParty(text: string, parties: readonly Party[]): string {
  const typed = text.trim()
  const names = ({ name }: Party) => [name, ...name.split(', ')].map((one) => one.toLowerCase())
  const matches = parties.filter((party) => names(party).includes(typed.toLowerCase()))
  const [only] = matches
  return readPartyId(text) ?? (matches.length === 1 && only ? only.id : typed)
}
