/** The prefixes of the keys under which a tab stores data of its user. */
export const userStoragePrefixes = {
  drafts: 'console-draft:',
  imports: 'console-import:',
  managementToken: 'oidc.',
  servicesToken: 'oidc-services.',
} as const

const USER = 'console-user'

/**
 * Assigns the tab to this user. It removes the data of another user, which must not be saved or used on behalf of
 * this user. The token that has just arrived stays.
 */
export function claimTabForUser(userId: string): void {
  const previousUser = window.sessionStorage.getItem(USER)
  window.sessionStorage.setItem(USER, userId)
  if (previousUser !== null && previousUser !== userId) clearUserStorage('drafts', 'imports', 'servicesToken')
}

/** Removes the stored data. The library would remove the key that all tabs with a token share. */
export function clearUserStorage(...kinds: readonly (keyof typeof userStoragePrefixes)[]): void {
  for (const key of Object.keys(window.sessionStorage)) {
    if (kinds.some((kind) => key.startsWith(userStoragePrefixes[kind]))) window.sessionStorage.removeItem(key)
  }
}
