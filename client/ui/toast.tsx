import { useEffect, useEffectEvent } from 'react'

const SHOWN_MS = 3000 // spec/limits#page-timings
const FADE_MS = 300 // spec/limits#page-timings; the same as the fading time in the styles of `.toast`

/**
 * A message shown over the page, which disappears automatically (spec/pages#feedback). A message that is repeated
 * elsewhere is hidden from screen readers here.
 */
export function Toast({
  message,
  isRepeated,
  onEnd,
}: {
  message: string
  isRepeated: boolean
  onEnd: () => void
}) {
  const end = useEffectEvent(onEnd)

  useEffect(() => {
    const timer = setTimeout(() => end(), SHOWN_MS + FADE_MS)
    return () => clearTimeout(timer)
  }, [])

  return (
    <div className="toast" aria-hidden={isRepeated || undefined}>
      {message}
    </div>
  )
}
