import { isRecord } from '../../src/contract/is-record.ts'
import type { PageEnvironment } from '../../src/domain/social/social-connectors.ts'

/** The capabilities that an app reports if it shows these pages in a web view (spec/pages#native-bridge). */
export type NativeBridge = {
  platform: 'ios' | 'android' | null
  /** The link that opens the app from the system browser, or null if there is none. */
  callbackLink: string | null
  surroundings: PageEnvironment
  /** Sends the app a URL to open, or null if the app accepts no messages. */
  post: ((message: NativeMessage) => void) | null
}

export type NativeMessage = { callbackUri: string; redirectTo: string }

/** Reads the bridge that an app has set. A value of the wrong type is ignored. */
export function readBridge(app: unknown): NativeBridge | null {
  if (!isRecord(app)) return null
  const { platform, callbackLink, supportedConnector: supported } = app
  const link = typeof callbackLink === 'string' && callbackLink !== '' ? callbackLink : null
  const targets = isRecord(supported) && Array.isArray(supported.nativeTargets) ? supported.nativeTargets : []
  return {
    platform: platform === 'ios' || platform === 'android' ? platform : null,
    callbackLink: link,
    surroundings: {
      kind: 'native',
      supported: {
        // Universal connectors are supported unless the app rules them out.
        universal: !isRecord(supported) || supported.universal !== false,
        nativeTargets: targets.filter((target): target is string => typeof target === 'string'),
      },
      hasCallbackLink: link !== null,
    },
    post: readPost(app),
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
