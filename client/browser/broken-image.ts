import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Tells whether an image could not be loaded, even if that happened before hydration. An image that is decoded is not
 * broken. Vector images may have no width, so the width alone does not tell.
 */
export function useBrokenImage(src: string | null | undefined): {
  isBroken: boolean
  image: { ref: RefObject<HTMLImageElement | null>; onError: () => void }
} {
  const ref = useRef<HTMLImageElement>(null)
  const [broken, setBroken] = useState<typeof src>(null)
  useEffect(() => {
    const { current } = ref
    current?.decode().catch(() => current.naturalWidth === 0 && setBroken(src))
  }, [src])
  return { isBroken: Boolean(src) && broken === src, image: { ref, onError: () => setBroken(src) } }
}
