import { createContext, useContext } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { BootData } from '../../src/contract/boot.ts'
import { INTERACTION_PARAM, type NavigationState } from '../../src/contract/interaction.ts'
import type { HistoryEntry } from '../browser/history.ts'
import { type Translate, translator } from './phrases.ts'

const Boot = createContext<BootData | null>(null)
export const BootProvider = Boot.Provider

export function useBoot(): BootData {
  const boot = useContext(Boot)
  if (!boot) throw new Error('drawn outside of <App>')
  return boot
}

export function useT(): Translate {
  return translator(useBoot())
}

/**
 * Where the visitor is, and what this page was told about the one before (decision 7). The server's answer counts
 * until the browser has moved on by itself; `history.state` then mirrors what it told the server.
 */
export function useHere(): {
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

/** Every address inside the experience names its interaction, so that two tabs stay apart (decision 4). A query of its own stays. */
export function useAddress(): (path: string) => string {
  const { interaction } = useBoot()
  return (path) => {
    if (!interaction) return path
    const [, query] = path.split('?')
    return `${path}${query === undefined ? '?' : '&'}${INTERACTION_PARAM}=${encodeURIComponent(interaction)}`
  }
}
