import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { NativeBridge } from './read-bridge.ts'

/**
 * Returns the bridge to the app that shows this page, or null if there is no app, on the server, and during hydration.
 */
export function useNativeBridge(): NativeBridge | null {
  return useSyncExternalStore(subscribeToNothing, getNativeBridge, () => null)
}

/**
 * Calls `onMessage` with the text of each message from the app to the user. Messages posted by the app's web view
 * have our own origin.
 */
export function useNativeMessages(onMessage: (text: string) => void): void {
  const bridge = useNativeBridge()
  const show = useEffectEvent(onMessage)

  useEffect(() => {
    if (!bridge) return
    const listener = ({ origin, data }: MessageEvent<unknown>) => {
      // A value that cannot be represented in JSON is not a message.
      const text = origin === location.origin ? JSON.stringify(data) : undefined
      if (text !== undefined) show(text)
    }
    addEventListener('message', listener)
    return () => removeEventListener('message', listener)
  }, [bridge])
}

let bridge: NativeBridge | null = null

export const getNativeBridge = (): NativeBridge | null => bridge

/**
 * Loads the bridge. The app sets it before the page's scripts run and never changes it. Few pages run in an app,
 * so the code that reads the bridge is loaded only for those.
 */
export async function loadNativeBridge(): Promise<void> {
  const app: unknown = Reflect.get(window, 'vestibuleNative')
  if (app !== undefined) bridge = (await import('./read-bridge.ts')).readBridge(app)
}

/** Subscribes to a store that never changes. */
export const subscribeToNothing = () => () => {}
