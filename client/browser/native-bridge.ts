import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { NativeBridge } from './read-bridge.ts'

/** Returns the app around the page, or null if there is none, on the server and during hydration. */
export function useNativeBridge(): NativeBridge | null {
  return useSyncExternalStore(subscribeToNothing, nativeBridge, () => null)
}

/**
 * Calls `onMessage` with the text of each message that the app has for the user. The messages of its web view have
 * our own origin.
 */
export function useNativeMessages(onMessage: (text: string) => void): void {
  const bridge = useNativeBridge()
  const show = useEffectEvent(onMessage)

  useEffect(() => {
    if (!bridge) return
    const listener = ({ origin, data }: MessageEvent<unknown>) => {
      // A value that JSON cannot express is not a message.
      const text = origin === location.origin ? JSON.stringify(data) : undefined
      if (text !== undefined) show(text)
    }
    addEventListener('message', listener)
    return () => removeEventListener('message', listener)
  }, [bridge])
}

let bridge: NativeBridge | null = null

export const nativeBridge = (): NativeBridge | null => bridge

/**
 * Loads the bridge, which an app sets before the page runs and never changes. Few pages run in an app, so only those
 * load the code that reads it.
 */
export async function loadNativeBridge(): Promise<void> {
  const app: unknown = Reflect.get(window, 'vestibuleNative')
  if (app !== undefined) bridge = (await import('./read-bridge.ts')).readBridge(app)
}

/** Subscribes to a store that never changes. */
export const subscribeToNothing = () => () => {}
