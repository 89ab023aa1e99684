import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const STORED = 'console-theme'
const listeners = new Set<() => void>()
const system = window.matchMedia('(prefers-color-scheme: dark)')
let theme: Theme = readTheme()

function readTheme(): Theme {
  const stored = window.localStorage.getItem(STORED)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Shows the theme that was chosen, and follows the system where none was. */
export function startTheme(): void {
  const show = () => {
    const isDark = theme === 'dark' || (theme === 'system' && system.matches)
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  }
  system.addEventListener('change', show)
  listeners.add(show)
  show()
}

export function chooseTheme(next: Theme): void {
  theme = next
  window.localStorage.setItem(STORED, next)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => theme)
