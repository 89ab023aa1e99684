type Owner = {
  username: string | null
  primaryEmail: string | null
  primaryPhone: string | null
  name: string | null
}

/**
 * Returns what users type to confirm the deletion of their account: their best-known name, or the host of the page if
 * they have none (spec/account-centre#data).
 */
export const getDeletionName = (
  { username, primaryEmail, primaryPhone, name }: Owner,
  host: string,
): string => username ?? primaryEmail ?? (primaryPhone === null ? (name ?? host) : `+${primaryPhone}`)

/** Compares as people type: phones add capitals and blanks, and a copied name has the isolates of the page. */
export const isDeletionName = (text: string, name: string): boolean => normalize(text) === normalize(name)

const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\u2066-\u2069]/g, '')
