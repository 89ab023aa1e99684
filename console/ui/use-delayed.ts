import { useEffect, useState } from 'react'

/** The value as it was when it has not changed for so long: for searches while somebody types. */
export function useDelayed<T>(value: T, milliseconds: number): T {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(() => value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return delayed
}
