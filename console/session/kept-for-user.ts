/** What a tab keeps for its user: keys of its storage begin with one of these. */
export const userStoragePrefixes = {
  drafts: 'console-draft:',
  imports: 'console-import:',
  managementToken: 'oidc.',
  servicesToken: 'oidc-services.',
} as const

const USER = 'console-user'

/**
 * The tab belongs to this user from now on. What another one has left beside the token that has just come is gone then: it is not
 * saved, and not called, with the rights of this one.
 */
export function claimTabForUser(userId: string): void {
  const previousUser = window.sessionStorage.getItem(USER)
  window.sessionStorage.setItem(USER, userId)
  if (previousUser !== null && previousUser !== userId) clearUserStorage('drafts', 'imports', 'servicesToken')
}

/** Not by the library, which would remove the key of all tabs with a token. */
export function clearUserStorage(...kinds: readonly (keyof typeof userStoragePrefixes)[]): void {
  for (const key of Object.keys(window.sessionStorage)) {
    if (kinds.some((kind) => key.startsWith(userStoragePrefixes[kind]))) window.sessionStorage.removeItem(key)
  }
}
