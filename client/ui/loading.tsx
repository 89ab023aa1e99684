import { useEffect, useState } from 'react'

export function Spinner() {
  return <span className="spinner" aria-hidden="true" />
}

/** The duration of a call after which the veil appears, and then the shortest time for which it stays. */
const VEIL_MS = 400 // spec/limits#page-timings

/**
 * A light veil over the page while a call takes long (spec/pages#feedback). It is only visible: the focus, the
 * pointer and screen readers ignore it.
 */
export function LoadingVeil({ isLoading }: { isLoading: boolean }) {
  /** The time at which the veil appeared, or 0 while it is hidden. */
  const [shownAt, setShownAt] = useState(0)

  useEffect(() => {
    if (isLoading === shownAt > 0) return
    const wait = isLoading ? VEIL_MS : shownAt + VEIL_MS - Date.now()
    const timer = setTimeout(() => setShownAt(isLoading ? Date.now() : 0), wait)
    return () => clearTimeout(timer)
  }, [isLoading, shownAt])

  return shownAt > 0 && <div className="veil" />
}

/** Returns whether something has been going on for longer than `ms`. */
export function useIsLongerThan(ms: number, isGoingOn: boolean | undefined): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isGoingOn) return setLong(false)
    const timer = setTimeout(() => setLong(true), ms)
    return () => clearTimeout(timer)
  }, [ms, isGoingOn])
  return isLong
}
