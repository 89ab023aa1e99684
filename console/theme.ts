import { useSyncExternalStore } from 'react'
import { showTheme, storedTheme, storeTheme, type Theme, whenSystemChanges } from './shown-theme.ts'

const listeners = new Set<() => void>()
let theme: Theme = storedTheme()

/** Shows the theme that was chosen, and follows the system where none was. */
export function startTheme(): void {
  const show = () => showTheme(theme)
  whenSystemChanges(show)
  listeners.add(show)
  show()
}

export function chooseTheme(next: Theme): void {
  theme = next
  storeTheme(next)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const current = () => theme

export const useTheme = (): Theme => useSyncExternalStore(subscribe, current, current)
