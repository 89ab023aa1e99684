/** Who has an account at the servers of others. */
export type Person = {
  id: string
  name: string
  picture?: string
  email?: string
  phone?: string
  /** What the provider says of both addresses. */
  isVerified?: boolean
}

/** Said instead of a name by who does not want to sign in. */
export const DENY = 'deny'

export const people = {
  /** Her provider knows and vouches for everything. */
  ann: {
    id: 'ann',
    name: 'Ann Lovelace',
    picture: 'http://127.0.0.1/ann.png',
    email: 'ann@upstream.example',
    phone: '491510000001',
    isVerified: true,
  },
  /** Has told his provider addresses that may be anybody's. */
  ben: {
    id: 'ben',
    name: 'Ben Unverified',
    email: 'ben@upstream.example',
    phone: '491510000002',
    isVerified: false,
  },
  /** Has told nothing. */
  cleo: { id: 'cleo', name: 'Cleo Quiet' },
} as const satisfies Record<string, Person>

export const everybody = () => new Map<string, Person>(Object.values(people).map((one) => [one.id, one]))

/** The standard claims (OIDC Core §5.1). */
export function claimsOf({ name, picture, email, phone, isVerified = false }: Person) {
  return {
    name,
    ...(picture && { picture }),
    ...(email && { email, email_verified: isVerified }),
    ...(phone && { phone_number: `+${phone}`, phone_number_verified: isVerified }),
  }
}

/** A button for each of them, and one to say no; no script. */
export function loginPage(kind: string, everyone: ReadonlyMap<string, Person>): string {
  const buttons = [...everyone.values()].map(
    ({ id, name }) => `<p><button name="person" value="${escaped(id)}">${escaped(name)}</button></p>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<title>Upstream (${kind})</title><h1>Who are you?</h1>
<form method="post">${buttons.join('')}<p><button name="person" value="${DENY}">Deny</button></p></form></html>`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
