import type { SocialConnector } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { nativeBridge } from './native-bridge.ts'
import type { NativeBridge, NativeMessage } from './read-bridge.ts'

/**
 * Many providers refuse to be shown inside an app, so there the app opens them itself (spec/pages#native-bridge). False without
 * an app: the page goes on.
 */
export function handedToApp(
  { origin, experience }: Pick<BootData, 'origin' | 'experience'>,
  { connectorId, url }: { connectorId: string; url: string },
): boolean {
  const app = nativeBridge()
  if (!app?.platform || !app.post) return false

  const connector = experience.socialConnectors.find(({ id }) => id === connectorId)
  if (connector) app.post(messageFor(app, { origin, connector, url }))
  return true
}

/** A universal connector is opened in the browser of the system, from which only a link of the app leads back. */
export function messageFor(
  { callbackLink }: Pick<NativeBridge, 'callbackLink'>,
  { origin, connector, url }: { origin: string; connector: SocialConnector; url: string },
): NativeMessage {
  const landing = new URLSearchParams({ redirect_to: url, native_callback: callbackLink ?? '' })
  return {
    callbackUri: `${origin}/sign-in/social/${connector.id}`,
    redirectTo:
      connector.platform === 'Universal' ? `${origin}/social/landing/${connector.id}?${landing}` : url,
  }
}
