import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { isRecord } from '../../src/contract/is-record.ts'
import type { PageEnvironment } from '../../src/domain/social-connectors.ts'

/** What an app that shows these pages tells about itself (spec/pages#native-bridge). */
export type NativeBridge = {
  platform: 'ios' | 'android' | null
  /** The link that leads from a browser outside of the app back into it. */
  callbackLink: string | null
  surroundings: PageEnvironment
  /** Sends the app an address to open; null for an app that takes no messages. */
  post: ((message: NativeMessage) => void) | null
}

export type NativeMessage = { callbackUri: string; redirectTo: string }

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

let known: { bridge: NativeBridge | null } | undefined

/** An app sets it before the page runs; it does not change. */
export function nativeBridge(): NativeBridge | null {
  known ??= { bridge: readBridge(Reflect.get(window, 'vestibuleNative')) }
  return known.bridge
}

/** Apps write it: a value of another type counts as absent. */
export function readBridge(given: unknown): NativeBridge | null {
  if (!isRecord(given)) return null
  const { platform, callbackLink, supportedConnector: supported } = given
  const link = typeof callbackLink === 'string' && callbackLink !== '' ? callbackLink : null
  const targets = isRecord(supported) && Array.isArray(supported.nativeTargets) ? supported.nativeTargets : []
  return {
    platform: platform === 'ios' || platform === 'android' ? platform : null,
    callbackLink: link,
    surroundings: {
      kind: 'native',
      supported: {
        // Universal connectors are supported unless an app refuses them.
        universal: !isRecord(supported) || supported.universal !== false,
        nativeTargets: targets.filter((target): target is string => typeof target === 'string'),
      },
      hasCallbackLink: link !== null,
    },
    post: readPost(given),
  }
}

function readPost(bridge: Record<string, unknown>): NativeBridge['post'] {
  const { getPostMessage } = bridge
  if (typeof getPostMessage !== 'function') return null
  return (message) => {
    const post: unknown = getPostMessage.call(bridge)
    if (typeof post === 'function') post(message)
  }
}

const never = () => () => {}
