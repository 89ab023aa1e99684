const root = document.documentElement
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/**
 * Tells the operator's CSS which theme is shown, by a class on body (contract 10.1). Ours needs no class: its media
 * query is right from the first paint on and follows the system live.
 */
export function followTheme(): void {
  const show = () => {
    const theme =
      root.dataset.theme ?? (root.dataset.darkMode === 'true' && systemIsDark.matches ? 'dark' : 'light')
    markTheme(theme === 'dark' ? 'dark' : 'light')
  }
  show()
  systemIsDark.addEventListener('change', show)
}

/** Shows that theme whatever the system says (product 4: a preview does not follow it). */
export function forceTheme(theme: 'light' | 'dark'): void {
  root.dataset.theme = theme
  markTheme(theme)
}

function markTheme(theme: 'light' | 'dark'): void {
  document.body.classList.toggle('dark', theme === 'dark')
  document.body.classList.toggle('light', theme === 'light')
}
