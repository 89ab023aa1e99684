import type { Account } from './accounts.ts'

/** What an application of a third party asks its user for (spec/provider#consent). */
export type ConsentRequest = {
  /** Of OpenID Connect. */
  scopes: readonly string[]
  /** Scopes by the indicator of their resource; none for access alone. */
  resources: Readonly<Record<string, readonly string[]>>
}

/** Where the answer goes, as the user may recognize it: a host, in ASCII, or the scheme of an app. */
export function destinationOf(redirectUri: string): string {
  const url = URL.parse(redirectUri)
  if (!url) return redirectUri
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb ? url.host : url.protocol.slice(0, -1)
}

/** How the account is named on the consent page: by what its user signs in with. A phone number has only digits. */
export function accountLabel({
  username,
  email,
  phone,
  id,
}: Pick<Account, 'username' | 'email' | 'phone' | 'id'>): string {
  return username ?? email ?? (phone === null ? id : `+${phone}`)
}
