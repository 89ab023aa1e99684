import type { SocialConnector } from '../../src/contract/experience/experience.ts'
import { selectAvailableConnectors } from '../../src/domain/social/social-connectors.ts'
import { useNativeBridge } from '../browser/native-bridge.ts'
import { useBoot } from '../context/boot.tsx'

/**
 * Returns the social connectors to offer (spec/pages#social-buttons). On the server and during hydration, it is unknown
 * whether an app surrounds the page; afterwards, the app's native bridge determines the choice. In an app that accepts
 * no messages, no connectors are offered, because the app could not open them.
 */
export function useSocialConnectors(): SocialConnector[] {
  const { experience, preview } = useBoot()
  const bridge = useNativeBridge()
  if (preview) return experience.socialConnectors // the preview has already chosen the connectors (client/preview/preview.tsx)
  if (bridge && !bridge.post) return []
  return selectAvailableConnectors(experience.socialConnectors, bridge?.surroundings ?? { kind: 'web' })
}
