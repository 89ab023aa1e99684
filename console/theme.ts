import { applyTheme, onSystemThemeChange, readStoredTheme, storeTheme, type Theme } from './shown-theme.ts'
import { createStore } from './store.ts'

const theme = createStore(readStoredTheme)

/** Applies the chosen theme, or follows the system if none was chosen. */
export function initTheme(): void {
  const show = () => applyTheme(theme.get())
  onSystemThemeChange(show)
  show()
}

export function chooseTheme(next: Theme): void {
  theme.set(next)
  storeTheme(next)
  applyTheme(next)
}

export const useTheme = theme.use
