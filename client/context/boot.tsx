import { createContext, useContext } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { INTERACTION_PARAM, type NavigationState } from '../../src/contract/interactions/interaction.ts'
import type { HistoryEntry } from '../browser/history-entry.ts'
import { createTranslator, type Translate } from './phrases.ts'

const Boot = createContext<BootData | null>(null)
export const BootProvider = Boot.Provider

export function useBoot(): BootData {
  const boot = useContext(Boot)
  if (!boot) throw new Error('rendered outside of <App>')
  return boot
}

export function useT(): Translate {
  return createTranslator(useBoot())
}

/**
 * Returns the current path and navigation state (spec/pages#navigation-state). They come from the boot data until
 * the user navigates within this document; from then on, they come from the URL and `history.state`.
 */
export function useCurrentPage(): {
  path: string
  search: string
  navigation: NavigationState | null
  entry: HistoryEntry | null
} {
  const boot = useBoot()
  const [path] = useLocation()
  const search = useSearch()
  const entry = useHistoryState<HistoryEntry | null>()
  return {
    path,
    search: search && `?${search}`,
    entry,
    navigation: entry?.navigation ?? (path === boot.path ? boot.navigation : null),
  }
}

/**
 * Returns a function that adds the interaction id to a path. The id keeps the interactions of two tabs separate
 * (spec/pages#interaction-parameter).
 */
export function useInteractionPath(): (path: string) => string {
  const { interaction } = useBoot()
  return (path) => {
    if (!interaction) return path
    const [, query] = path.split('?')
    return `${path}${query === undefined ? '?' : '&'}${INTERACTION_PARAM}=${encodeURIComponent(interaction)}`
  }
}
