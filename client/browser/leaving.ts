import { useEffect, useEffectEvent } from 'react'

/** A browser that has not left by then stays, as after an address that an app of the device opens. */
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

/** The back/forward cache gives a page back in the state in which the browser left it. */
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

/** Without an entry in the history for the page that is left. */
export const replacePage = (url: string): void => location.replace(url)

export const reloadPage = (): void => location.reload()
