import { useEffect, useEffectEvent } from 'react'

/** A browser that has not left after this time stays, for example because an app on the device has opened the URL. */
const LEAVING_MS = 5000

let leaving: ReturnType<typeof setTimeout> | undefined

/** Leaves for another document, and calls `onStay` if the browser does not. */
export function leavePage(url: string, { replace, onStay }: { replace: boolean; onStay: () => void }): void {
  const from = location.pathname
  if (replace) replacePage(url)
  else openPage(url)
  clearTimeout(leaving)
  leaving = setTimeout(() => {
    if (location.pathname === from) onStay()
  }, LEAVING_MS)
}

/** Calls `onRestored` when the back/forward cache restores the page in the state in which the browser left it. */
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

/** Opens a URL without leaving the current page in the history. */
export const replacePage = (url: string): void => location.replace(url)

export const reloadPage = (): void => location.reload()
