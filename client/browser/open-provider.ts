import type { SocialConnector } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { getNativeBridge } from './native-bridge.ts'
import type { NativeBridge, NativeMessage } from './read-bridge.ts'

/**
 * Asks the app to open a provider, because many providers do not allow their pages to be shown in a web view
 * (spec/pages#native-bridge). Returns false if the page is not shown in an app that can do this.
 */
export function openInApp(
  { origin, experience }: Pick<BootData, 'origin' | 'experience'>,
  { connectorId, url }: { connectorId: string; url: string },
): boolean {
  const app = getNativeBridge()
  if (!app?.platform || !app.post) return false

  const connector = experience.socialConnectors.find(({ id }) => id === connectorId)
  if (connector) app.post(buildNativeMessage(app, { origin, connector, url }))
  return true
}

/**
 * Builds the message for the app. A universal connector opens in the system browser. The browser can return to the app
 * only through an app link.
 */
export function buildNativeMessage(
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
