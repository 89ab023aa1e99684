import { useEffect, useRef, useState } from 'react'

const DELAY_MS = 400 // spec 9
const LEAST_MS = 400 // spec 9

/** Covers the page while something takes long; what is quick, or nearly done, does not flicker (product 4). */
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
