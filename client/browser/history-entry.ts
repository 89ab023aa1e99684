import { navigate } from 'wouter/use-browser-location'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { withNoCache } from './no-cache.ts'

/** The content of `history.state` on each of our pages. */
export type HistoryEntry = {
  navigation?: NavigationState | undefined
  /** True if the user has agreed to the terms on this page. */
  hasAgreed?: boolean | undefined
  /** The number of our pages before this one in the history of this document. */
  depth: number
  /** The number of those pages that offer other ways to sign in with the same identifier as this page. */
  siblings?: number | undefined
}

export function getCurrentHistoryEntry(): HistoryEntry {
  const entry = history.state as Partial<HistoryEntry> | null
  return {
    navigation: entry?.navigation,
    hasAgreed: entry?.hasAgreed,
    depth: entry?.depth ?? 0,
    siblings: entry?.siblings,
  }
}

/** Returns the position of a new entry after this one. */
export const nextEntry = (
  here: Pick<HistoryEntry, 'depth' | 'siblings'> | null,
  { isSibling }: { isSibling: boolean },
): HistoryEntry => ({
  depth: (here?.depth ?? 0) + 1,
  siblings: isSibling ? (here?.siblings ?? 0) + 1 : 0,
})

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
  {
    navigation,
    replace,
    isSibling = false,
  }: { navigation: NavigationState | undefined; replace: boolean; isSibling?: boolean | undefined },
): void {
  const here = getCurrentHistoryEntry()
  if (navigation)
    navigate(location.pathname + location.search, { replace: true, state: { ...here, navigation } })
  const { depth, siblings } = replace ? here : nextEntry(here, { isSibling })
  navigate(withNoCache(address), { replace, state: { navigation, depth, siblings } })
}

/**
 * Goes back by the given number of our own pages. Pages at the same level as this one are skipped. Returns false if the
 * history of this document has fewer.
 */
export function goBackBy(pages: number): boolean {
  const { depth, siblings = 0 } = getCurrentHistoryEntry()
  const entries = pages + siblings
  if (depth < entries) return false
  history.go(-entries)
  return true
}

/** Goes back in the history, even if the previous page was not one of ours. */
export const goBackInHistory = (): void => history.back()
