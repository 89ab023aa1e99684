import type { SocialConnector } from '../../src/contract/experience.ts'
import type { FormJourney } from '../journeys/journey.ts'
import { startSocial } from '../journeys/social-start.ts'
import { type NativeBridge, type NativeMessage, nativeBridge } from './native-bridge.ts'

/** To a provider. Many refuse to be shown inside an app, so there the app itself goes (contract 10.5). */
export const openProvider: FormJourney = async (input) => {
  const reaction = await startSocial(input)
  const app = nativeBridge()
  if (reaction.kind !== 'leave' || !app?.platform || !app.post) return reaction

  const { origin, experience } = input.boot
  const connector = experience.socialConnectors.find(({ id }) => id === reaction.connectorId)
  if (connector) app.post(messageFor(app, { origin, connector, url: reaction.url }))
  return { kind: 'stay' }
}

/** Universal connectors go by way of the system's browser, from where only the app's own link leads back. */
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
