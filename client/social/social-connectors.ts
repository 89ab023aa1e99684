import type { SocialConnector } from '../../src/contract/experience/experience.ts'
import { availableConnectors } from '../../src/domain/social/social-connectors.ts'
import { useNativeBridge } from '../browser/native-bridge.ts'
import { useBoot } from '../context/boot.tsx'

/**
 * Returns the social connectors to offer (spec/pages#social-buttons). The server and hydration do not know of an app
 * around the page; its native bridge makes a new choice afterwards. An app that takes no messages could not open any of
 * them.
 */
export function useSocialConnectors(): SocialConnector[] {
  const { experience, preview } = useBoot()
  const bridge = useNativeBridge()
  if (preview) return experience.socialConnectors // already chosen by the preview (client/preview/preview.tsx)
  if (bridge && !bridge.post) return []
  return availableConnectors(experience.socialConnectors, bridge?.surroundings ?? { kind: 'web' })
}
