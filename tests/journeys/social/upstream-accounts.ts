/** An account at one of the tests' social providers. */
export type ProviderAccount = {
  id: string
  name: string
  picture?: string
  email?: string
  phone?: string
  /** True if the provider has verified both addresses. */
  isVerified?: boolean
  /** True if the ID token contains only the subject, as at providers that follow OIDC Core §5.4 strictly. */
  hasBareIdToken?: boolean
  /** The subject that userinfo names instead of the account’s own. */
  userInfoSubject?: string
}

/** The value of the button that denies the request. */
export const DENY_BUTTON = 'deny'

export const providerAccounts = {
  /** An account with all claims and both addresses verified. */
  ann: {
    id: 'ann',
    name: 'Ann Lovelace',
    picture: 'http://127.0.0.1/ann.png',
    email: 'ann@upstream.example',
    phone: '491510000001',
    isVerified: true,
  },
  /** An account with all claims and neither address verified. */
  ben: {
    id: 'ben',
    name: 'Ben Unverified',
    email: 'ben@upstream.example',
    phone: '491510000002',
    isVerified: false,
  },
  /** An account without an address. */
  cleo: { id: 'cleo', name: 'Cleo Quiet' },
} as const satisfies Record<string, ProviderAccount>

export const allProviderAccounts = () =>
  new Map<string, ProviderAccount>(Object.values(providerAccounts).map((one) => [one.id, one]))

/** Returns the standard claims (OIDC Core §5.1). */
export function claimsOf({ name, picture, email, phone, isVerified = false }: ProviderAccount) {
  return {
    name,
    ...(picture && { picture }),
    ...(email && { email, email_verified: isVerified }),
    ...(phone && { phone_number: `+${phone}`, phone_number_verified: isVerified }),
  }
}

/** Returns a page without scripts that has a button for each account, and one that denies the request. */
export function loginPage(kind: string, accounts: ReadonlyMap<string, ProviderAccount>): string {
  const buttons = [...accounts.values()].map(
    ({ id, name }) => `<p><button name="account" value="${escaped(id)}">${escaped(name)}</button></p>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<title>Upstream (${kind})</title><h1>Who are you?</h1>
<form method="post">${buttons.join('')}<p><button name="account" value="${DENY_BUTTON}">Deny</button></p></form></html>`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
