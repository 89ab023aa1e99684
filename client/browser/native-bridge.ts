import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { isRecord } from '../../src/contract/is-record.ts'
import type { Surroundings } from '../../src/domain/social-connectors.ts'

/** What an app that shows these pages has said about itself (contract 10.5). */
export type NativeBridge = {
  platform: 'ios' | 'android' | null
  /** Where a browser outside of the app leads back into it. */
  callbackLink: string | null
  surroundings: Surroundings
  /** Hands the app a place to go to; null for an app that cannot be talked to. */
  post: ((message: NativeMessage) => void) | null
}

export type NativeMessage = { callbackUri: string; redirectTo: string }

/** The app around the page. Null without one, and on the server, and while its page is taken over. */
export function useNativeBridge(): NativeBridge | null {
  return useSyncExternalStore(never, nativeBridge, () => null)
}

/** What an app says to the page, as text for the visitor: messages of its web view come from our own origin. */
export function useNativeMessages(onMessage: (text: string) => void): void {
  const bridge = useNativeBridge()
  const say = useEffectEvent(onMessage)

  useEffect(() => {
    if (!bridge) return
    const hear = ({ origin, data }: MessageEvent<unknown>) => {
      // What JSON has no word for was no message.
      const text = origin === location.origin ? JSON.stringify(data) : undefined
      if (text !== undefined) say(text)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [bridge])
}

let known: { bridge: NativeBridge | null } | undefined

/** An app puts it there before the page runs; it does not change. */
export function nativeBridge(): NativeBridge | null {
  known ??= { bridge: readBridge(Reflect.get(window, 'vestibuleNative')) }
  return known.bridge
}

/** Others have written it: what is not as it should be counts as not there. */
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
        // An app that says nothing of them has not refused them.
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
