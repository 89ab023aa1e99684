import { type RefObject, useEffect, useRef } from 'react'
import type { PressEvent } from 'react-aria-components'

/** Tells whether no element has focus because the focused element was removed. */
const isFocusLost = () => document.activeElement === null || document.activeElement === document.body

const findHeading = () => document.querySelector<HTMLElement>('main h1')

/** Leave the focus where it is after a press with a pointer. On phones, focusing a field would open the keyboard. */
const isByPointer = ({ pointerType }: PressEvent) => pointerType !== 'keyboard' && pointerType !== 'virtual'

/**
 * Restores focus to the element that was focused before the focus moved into `place`. Used if buttons in `place`
 * disappear when they are pressed, so that keyboard and screen reader users can continue where they were.
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

/** Focuses the page heading after a dialog has closed, if the element that opened it no longer exists. */
export function useHeadingFocusOnClose(): void {
  useEffect(
    () => () => {
      // Wait for one frame, because the dialog itself restores the focus in the first one.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (isFocusLost()) findHeading()?.focus({ preventScroll: true })
        }),
      )
    },
    [],
  )
}

/**
 * Focuses the heading of a page that was opened from the navigation, or by an element that no longer exists.
 */
export function useFocusOnNavigation(title: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (isFocusLost() || document.activeElement?.closest('.side'))
      title.current?.focus({ preventScroll: true })
  }, [title])
}

/**
 * Scrolls to the top when a page is opened, but not when the user goes back: the browser then restores its own scroll
 * position.
 */
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
