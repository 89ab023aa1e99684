import { useEffect, useRef, useState } from 'react'

const DELAY_MS = 400 // spec/limits#page-timings
const LEAST_MS = 400 // spec/limits#page-timings

/** Covers the page during a long call (spec/pages#feedback). It neither appears for a short one nor for a moment only. */
export function LoadingOverlay({ isLoading, label }: { isLoading: boolean; label: string }) {
  const isShown = useSteadily(isLoading)
  return (
    <div role="status">
      {isShown && (
        <div className="loading">
          <span className="visually-hidden">{label}</span>
        </div>
      )}
    </div>
  )
}

export function Spinner() {
  return <span className="spinner" aria-hidden="true" />
}

function useSteadily(isOn: boolean): boolean {
  const [isShown, setShown] = useState(false)
  const since = useRef(0)

  useEffect(() => {
    if (isOn === isShown) return
    const wait = isOn ? DELAY_MS : Math.max(0, LEAST_MS - (performance.now() - since.current))
    const timer = setTimeout(() => {
      since.current = performance.now()
      setShown(isOn)
    }, wait)
    return () => clearTimeout(timer)
  }, [isOn, isShown])

  return isShown
}
