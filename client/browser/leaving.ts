import { useEffect, useEffectEvent } from 'react'

/**
 * If the browser has not left the page after this time, it is assumed to stay, for example because an app on the
 * device opened the URL.
 */
const LEAVING_MS = 5000

let leaving: ReturnType<typeof setTimeout> | undefined

/** Navigates to another document, and calls `onStay` if the browser stays on this one. */
export function leavePage(url: string, { replace, onStay }: { replace: boolean; onStay: () => void }): void {
  const from = location.pathname
  if (replace) replacePage(url)
  else openPage(url)
  clearTimeout(leaving)
  leaving = setTimeout(() => {
    if (location.pathname === from) onStay()
  }, LEAVING_MS)
}

/** Calls `onRestored` when the back/forward cache restores the page as it was when the browser left it. */
export function useRestoredPage(onRestored: () => void): void {
  const restored = useEffectEvent(onRestored)

  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      clearTimeout(leaving)
      restored()
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])
}

export const openPage = (url: string): void => location.assign(url)

/** Opens a URL and replaces the current page in the history. */
export const replacePage = (url: string): void => location.replace(url)

export const reloadPage = (): void => location.reload()

/** Returns what the line above the page says about the application (spec/pages#application), or null without a line. */
export function readApplicationLine(): { name: string; logo: string | null } | null {
  const line = document.querySelector('.application')
  if (!line) return null
  const logo = line.querySelector('img')
  return {
    name: line.getAttribute('aria-label') ?? '',
    // A logo that could not be loaded has no size.
    logo: logo?.naturalWidth ? logo.src : null,
  }
}
