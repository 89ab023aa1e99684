const FLAG = 'no_cache' // the query parameter and the storage key (spec/experience#cache)

/** Remembers for this tab that its pages read the stored settings instead of cached ones. */
export function rememberNoCache(): void {
  if (!hasFlag(location.search)) return
  try {
    sessionStorage.setItem(FLAG, 'true')
  } catch {
    // If storage is blocked, only pages with the parameter in their query read the stored settings.
  }
}

/** Adds the parameter to the URL of a page if the tab has the flag, for a user who reloads that page. */
export function withNoCache(address: string): string {
  const [, query] = address.split('?')
  if (!isRemembered() || hasFlag(query)) return address
  return `${address}${query === undefined ? '?' : '&'}${FLAG}`
}

const hasFlag = (search?: string) => new URLSearchParams(search).has(FLAG)

function isRemembered(): boolean {
  try {
    return sessionStorage.getItem(FLAG) !== null
  } catch {
    return false
  }
}
