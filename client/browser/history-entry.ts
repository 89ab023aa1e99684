import { navigate } from 'wouter/use-browser-location'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'

/** The content of `history.state` on each of our pages. */
export type HistoryEntry = {
  navigation?: NavigationState | undefined
  /** Whether the user has agreed to the terms on this page. */
  hasAgreed?: boolean | undefined
  /** The number of our pages that precede this one in this document. */
  depth: number
}

export function currentEntry(): HistoryEntry {
  const entry = history.state as Partial<HistoryEntry> | null
  return {
    navigation: entry?.navigation,
    hasAgreed: entry?.hasAgreed,
    depth: entry?.depth ?? 0,
  }
}

/** Stores the agreement for a user who comes back to this page. */
export function rememberAgreement(hasAgreed: boolean): void {
  history.replaceState({ ...currentEntry(), hasAgreed }, '')
}

/**
 * Goes to another of our pages. The current page also remembers the navigation state, for a user who comes back to
 * it.
 */
export function goToPage(
  address: string,
  { navigation, replace }: { navigation: NavigationState | undefined; replace: boolean },
): void {
  const here = currentEntry()
  if (navigation)
    navigate(location.pathname + location.search, { replace: true, state: { ...here, navigation } })
  navigate(address, { replace, state: { navigation, depth: here.depth + (replace ? 0 : 1) } })
}

/** Goes back by some of our pages. Returns false if this document has fewer of them. */
export function goBackBy(pages: number): boolean {
  if (currentEntry().depth < pages) return false
  history.go(-pages)
  return true
}

/** Goes back to whatever the browser showed before, even if it was not one of our pages. */
export const goBackInHistory = (): void => history.back()
