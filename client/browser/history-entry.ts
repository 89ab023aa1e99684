import { navigate } from 'wouter/use-browser-location'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'

/** What `history.state` holds for each of our pages. */
export type HistoryEntry = {
  navigation?: NavigationState | undefined
  /** The terms were agreed to on this page. */
  hasAgreed?: boolean | undefined
  /** How many of our pages lie before this one in this document. */
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

/** For a user who comes back to this page. */
export function rememberAgreement(hasAgreed: boolean): void {
  history.replaceState({ ...currentEntry(), hasAgreed }, '')
}

/** To another page of ours. The page that is left remembers the navigation state, too, for a user who comes back to it. */
export function goToPage(
  address: string,
  { navigation, replace }: { navigation: NavigationState | undefined; replace: boolean },
): void {
  const here = currentEntry()
  if (navigation)
    navigate(location.pathname + location.search, { replace: true, state: { ...here, navigation } })
  navigate(address, { replace, state: { navigation, depth: here.depth + (replace ? 0 : 1) } })
}

/** Goes back that many pages of ours; false when there are not as many in this document. */
export function wentBack(pages: number): boolean {
  if (currentEntry().depth < pages) return false
  history.go(-pages)
  return true
}

/** To what the browser showed before, a page of ours or not. */
export const leaveBackwards = (): void => history.back()
