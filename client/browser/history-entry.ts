import { navigate } from 'wouter/use-browser-location'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { withNoCache } from './no-cache.ts'

/** The content of `history.state` on each of our pages. */
export type HistoryEntry = {
  navigation?: NavigationState | undefined
  /** Whether the user has agreed to the terms on this page. */
  hasAgreed?: boolean | undefined
  /** The number of our pages before this one in the history of this document. */
  depth: number
}

export function getCurrentHistoryEntry(): HistoryEntry {
  const entry = history.state as Partial<HistoryEntry> | null
  return {
    navigation: entry?.navigation,
    hasAgreed: entry?.hasAgreed,
    depth: entry?.depth ?? 0,
  }
}

/** Stores the agreement in the history entry, in case the user comes back to this page. */
export function rememberAgreement(hasAgreed: boolean): void {
  history.replaceState({ ...getCurrentHistoryEntry(), hasAgreed }, '')
}

/**
 * Navigates to another of our pages. The navigation state is also stored in the current history entry, in case the
 * user comes back.
 */
export function goToPage(
  address: string,
  { navigation, replace }: { navigation: NavigationState | undefined; replace: boolean },
): void {
  const here = getCurrentHistoryEntry()
  if (navigation)
    navigate(location.pathname + location.search, { replace: true, state: { ...here, navigation } })
  navigate(withNoCache(address), { replace, state: { navigation, depth: here.depth + (replace ? 0 : 1) } })
}

/** Goes back by the given number of our own pages. Returns false if the history of this document has fewer. */
export function goBackBy(pages: number): boolean {
  if (getCurrentHistoryEntry().depth < pages) return false
  history.go(-pages)
  return true
}

/** Goes back in the history, even if the previous page was not one of ours. */
export const goBackInHistory = (): void => history.back()
