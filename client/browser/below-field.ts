import { type RefObject, useLayoutEffect } from 'react'

const GAP = 8 // px, spec/pages#phone-numbers

/**
 * Sets CSS variables that place a dialog below the box of a field, with the same width. On small screens, the dialog
 * fills the screen and the style sheet ignores these variables.
 */
export function usePositionBelow(
  dialog: RefObject<HTMLElement | null>,
  field: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    const place = () => {
      const box = field.current?.closest('.field-box')?.getBoundingClientRect()
      if (!box || !dialog.current) return
      const isRightToLeft = document.documentElement.dir === 'rtl'
      const start = isRightToLeft ? document.documentElement.clientWidth - box.right : box.left
      dialog.current.style.setProperty('--below', `${box.bottom + scrollY + GAP}px`)
      dialog.current.style.setProperty('--start', `${start}px`)
      dialog.current.style.setProperty('--width', `${box.width}px`)
    }
    place()
    addEventListener('resize', place)
    return () => removeEventListener('resize', place)
  }, [dialog, field])
}
