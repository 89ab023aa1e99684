const root = document.documentElement
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/**
 * Sets a class on the body that tells the operator's CSS which theme is shown (spec/pages#css-classes). Our own
 * style sheets do not need it: their media query follows the system from the first paint.
 */
export function followTheme(): void {
  const update = () =>
    setThemeClass(root.dataset.darkMode === 'true' && systemIsDark.matches ? 'dark' : 'light')
  update()
  systemIsDark.addEventListener('change', update)
}

export function setThemeClass(theme: 'light' | 'dark'): void {
  document.body.classList.toggle('dark', theme === 'dark')
  document.body.classList.toggle('light', theme === 'light')
}
