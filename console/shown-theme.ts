export type Theme = 'system' | 'light' | 'dark'

const STORED = 'console-theme'
const system = window.matchMedia('(prefers-color-scheme: dark)')

export function storedTheme(): Theme {
  const stored = window.localStorage.getItem(STORED)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export const storeTheme = (chosen: Theme) => window.localStorage.setItem(STORED, chosen)

export function showTheme(theme: Theme): void {
  const isDark = theme === 'dark' || (theme === 'system' && system.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

export const whenSystemChanges = (listener: () => void) => system.addEventListener('change', listener)
