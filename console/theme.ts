import { showTheme, storedTheme, storeTheme, type Theme, whenSystemChanges } from './shown-theme.ts'
import { createStore } from './store.ts'

const theme = createStore(storedTheme)

/** Shows the theme that was chosen, and follows the system where none was. */
export function startTheme(): void {
  const show = () => showTheme(theme.get())
  whenSystemChanges(show)
  show()
}

export function chooseTheme(next: Theme): void {
  theme.set(next)
  storeTheme(next)
  showTheme(next)
}

export const useTheme = theme.use
