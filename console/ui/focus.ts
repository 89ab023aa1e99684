import { type RefObject, useEffect, useRef } from 'react'
import type { PressEvent } from 'react-aria-components'

/** Whether the focus is nowhere: what had it is gone. */
const isFocusLost = () => document.activeElement === null || document.activeElement === document.body

const findHeading = () => document.querySelector<HTMLElement>('main h1')

/** A press by a pointer leaves the focus where it is: on a phone, a field that gets it opens the keyboard. */
const isByPointer = ({ pointerType }: PressEvent) => pointerType !== 'keyboard' && pointerType !== 'virtual'

/**
 * For buttons in `place` that go when they are pressed: the focus returns to what had it before it came there, so that a keyboard and a
 * screen reader go on from it.
 */
export function useFocusReturn(place: RefObject<HTMLElement | null>): (event: PressEvent) => void {
  const before = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !place.current?.contains(target)) before.current = target
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [place])
  return (event) => {
    if (isByPointer(event)) return
    const last = before.current?.isConnected ? before.current : findHeading()
    last?.focus()
  }
}

/** For a dialog whose opener may be gone when it closes: the heading of the page has the focus then. */
export function useHeadingFocusOnClose(): void {
  useEffect(
    () => () => {
      // The dialog itself restores the focus in the first frame.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (isFocusLost()) findHeading()?.focus({ preventScroll: true })
        }),
      )
    },
    [],
  )
}

/** The heading of a page that was opened from the navigation, or by what is gone. */
export function useFocusOnNavigation(title: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (isFocusLost() || document.activeElement?.closest('.side'))
      title.current?.focus({ preventScroll: true })
  }, [title])
}

/** A page that is opened is shown from its beginning; one to which the browser goes back, as the browser has kept it. */
export function useScrollToTop(location: string): void {
  const keepsPosition = useRef(true)
  useEffect(() => {
    if (location && !keepsPosition.current) window.scrollTo(0, 0)
    keepsPosition.current = false
    const pathname = window.location.pathname
    const note = () => {
      keepsPosition.current = window.location.pathname !== pathname
    }
    window.addEventListener('popstate', note)
    return () => window.removeEventListener('popstate', note)
  }, [location])
}
