/** The prefixes of the keys under which a tab stores data that belongs to its user. */
export const userStoragePrefixes = {
  drafts: 'console-draft:',
  imports: 'console-import:',
  managementToken: 'oidc.',
  servicesToken: 'oidc-services.',
} as const

const USER = 'console-user'

/**
 * Assigns the tab to this user. It removes any stored data of another user, which must not be saved or used on this
 * user's behalf. The token that has just been issued is kept.
 */
export function claimTabForUser(userId: string): void {
  const previousUser = window.sessionStorage.getItem(USER)
  window.sessionStorage.setItem(USER, userId)
  if (previousUser !== null && previousUser !== userId) clearUserStorage('drafts', 'imports', 'servicesToken')
}

/**
 * Removes the data stored in the tab. The library's own method would also remove the key that all tabs share.
 */
export function clearUserStorage(...kinds: readonly (keyof typeof userStoragePrefixes)[]): void {
  for (const key of Object.keys(window.sessionStorage)) {
    if (kinds.some((kind) => key.startsWith(userStoragePrefixes[kind]))) window.sessionStorage.removeItem(key)
  }
}
