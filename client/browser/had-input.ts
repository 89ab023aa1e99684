import { type RefObject, useEffect, useState } from 'react'

/** Returns whether something was entered in an element. */
export function useHadInput(element: RefObject<HTMLElement | null>): boolean {
  const [hadInput, setHadInput] = useState(false)
  useEffect(() => {
    const watched = element.current
    const note = () => setHadInput(true)
    watched?.addEventListener('input', note)
    return () => watched?.removeEventListener('input', note)
  }, [element])
  return hadInput
}
