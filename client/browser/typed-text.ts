import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Browsers do not count layout shifts this soon after input, because the user expects them (Layout Instability). */
const EXPECTED = 500 // ms

/**
 * Calls a function with the text of a field after each input, and at once if the input at `typedAt` (an
 * `event.timeStamp`) took place only just before.
 */
export function useTypedText(
  field: RefObject<HTMLInputElement | null>,
  typedAt: number,
  follow: (text: string) => void,
): void {
  const read = useEffectEvent(() => follow(field.current?.value ?? ''))
  useEffect(() => {
    if (performance.now() - typedAt < EXPECTED) read()
    const input = field.current
    const onInput = () => read()
    input?.addEventListener('input', onInput)
    return () => input?.removeEventListener('input', onInput)
  }, [field, typedAt])
}

/** Sets the text of an uncontrolled field as if the user had typed it, and moves the focus there. */
export function typeInto(input: HTMLInputElement | null, text: string): void {
  if (!input) return
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.focus()
}
