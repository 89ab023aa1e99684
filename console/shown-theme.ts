export type Theme = 'system' | 'light' | 'dark'

const STORAGE_KEY = 'console-theme'
const system = window.matchMedia('(prefers-color-scheme: dark)')

export function readStoredTheme(): Theme {
  const stored = window.localStorage.getItem(STORAGE_KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export const storeTheme = (theme: Theme) => window.localStorage.setItem(STORAGE_KEY, theme)

export function applyTheme(theme: Theme): void {
  const isDark = theme === 'dark' || (theme === 'system' && system.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

export const onSystemThemeChange = (listener: () => void) => system.addEventListener('change', listener)
