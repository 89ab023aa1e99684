import { type RefObject, useEffect } from 'react'

/** Closes an open `details` element when the user presses Escape, or clicks or focuses something outside it. */
export function useDismissal(box: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = () => {
      if (box.current) box.current.open = false
    }
    const onOutside = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) close()
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !box.current?.open) return
      close()
      box.current.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', onOutside)
    document.addEventListener('focusin', onOutside)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onOutside)
      document.removeEventListener('focusin', onOutside)
      document.removeEventListener('keydown', onKey)
    }
  }, [box])
}
