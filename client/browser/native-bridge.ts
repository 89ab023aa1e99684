import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { NativeBridge } from './read-bridge.ts'

/** The app around the page. Null without one, on the server, and during hydration. */
export function useNativeBridge(): NativeBridge | null {
  return useSyncExternalStore(never, nativeBridge, () => null)
}

/** Messages of the app to the user, as text: those of its web view come from our own origin. */
export function useNativeMessages(onMessage: (text: string) => void): void {
  const bridge = useNativeBridge()
  const show = useEffectEvent(onMessage)

  useEffect(() => {
    if (!bridge) return
    const listener = ({ origin, data }: MessageEvent<unknown>) => {
      // A value without JSON is no message.
      const text = origin === location.origin ? JSON.stringify(data) : undefined
      if (text !== undefined) show(text)
    }
    addEventListener('message', listener)
    return () => removeEventListener('message', listener)
  }, [bridge])
}

let bridge: NativeBridge | null = null

export const nativeBridge = (): NativeBridge | null => bridge

/** An app sets it before the page runs, and it does not change. Few pages are in an app, so the others do not load how it is read. */
export async function loadNativeBridge(): Promise<void> {
  const app: unknown = Reflect.get(window, 'vestibuleNative')
  if (app !== undefined) bridge = (await import('./read-bridge.ts')).readBridge(app)
}

/** Of a store that does not change. */
export const never = () => () => {}
