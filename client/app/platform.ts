import { useEffect } from 'react'
import type { BootData } from '../../src/contract/boot.ts'
import { showLayout } from '../browser/arrival.ts'
import { useNativeBridge } from '../browser/native-bridge.ts'
import { useBoot } from './boot.tsx'

/** Which of the two layouts is shown: the server judged by the user agent, but an app knows better (contract 10.5). */
export function usePlatform(): BootData['platform'] {
  const { platform, preview } = useBoot()
  const bridge = useNativeBridge()
  return bridge?.platform && !preview ? 'mobile' : platform
}

/** Tells the styles (contract 10.1), whenever it is not what the server has told them. */
export function useLayout(): void {
  const platform = usePlatform()

  useEffect(() => showLayout(platform), [platform])
}
