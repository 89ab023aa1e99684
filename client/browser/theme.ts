const root = document.documentElement
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/**
 * Tells the operator's CSS which theme is shown, by a class on body (spec/pages#css-classes). Our own styles need none: their media
 * query is right from the first paint on, and follows the system.
 */
export function followTheme(): void {
  const mark = () => {
    const theme =
      root.dataset.theme ?? (root.dataset.darkMode === 'true' && systemIsDark.matches ? 'dark' : 'light')
    markTheme(theme === 'dark' ? 'dark' : 'light')
  }
  mark()
  systemIsDark.addEventListener('change', mark)
}

/** Shows one theme: a preview does not follow the system (spec/experience#preview). */
export function forceTheme(theme: 'light' | 'dark'): void {
  root.dataset.theme = theme
  markTheme(theme)
}

function markTheme(theme: 'light' | 'dark'): void {
  document.body.classList.toggle('dark', theme === 'dark')
  document.body.classList.toggle('light', theme === 'light')
}
