import { type RefObject, useEffect, useState } from 'react'

/** Returns whether an element, or something in it, has had the focus. */
export function useHadFocus(element: RefObject<HTMLElement | null>): boolean {
  const [hadFocus, setHadFocus] = useState(false)
  useEffect(() => {
    const watched = element.current
    const note = () => setHadFocus(true)
    watched?.addEventListener('focusin', note)
    return () => watched?.removeEventListener('focusin', note)
  }, [element])
  return hadFocus
}
