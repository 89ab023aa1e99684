const root = document.documentElement
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/**
 * Tells the operator's CSS which theme is shown, by a class on body (spec/pages#css-classes). Our own styles need none: their media
 * query is right from the first paint on, and follows the system.
 */
export function followTheme(): void {
  const mark = () => markTheme(root.dataset.darkMode === 'true' && systemIsDark.matches ? 'dark' : 'light')
  mark()
  systemIsDark.addEventListener('change', mark)
}

export function markTheme(theme: 'light' | 'dark'): void {
  document.body.classList.toggle('dark', theme === 'dark')
  document.body.classList.toggle('light', theme === 'light')
}
