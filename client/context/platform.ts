import { useEffect } from 'react'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { setLayoutClass } from '../browser/arrival.ts'
import { useNativeBridge } from '../browser/native-bridge.ts'
import { useBoot } from './boot.tsx'

/**
 * Returns which of the two layouts is shown. The user agent decides, unless an app around the page overrides it
 * (spec/pages#native-bridge).
 */
export function usePlatform(): BootData['platform'] {
  const { platform, preview } = useBoot()
  const bridge = useNativeBridge()
  return bridge?.platform && !preview ? 'mobile' : platform
}

/** Sets the layout class (spec/pages#css-classes), in case the layout differs from the one that the server assumed. */
export function useLayoutClass(): void {
  const platform = usePlatform()

  useEffect(() => setLayoutClass(platform), [platform])
}
