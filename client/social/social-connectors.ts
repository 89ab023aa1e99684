import type { SocialConnector } from '../../src/contract/experience.ts'
import { connectorsFor } from '../../src/domain/social-connectors.ts'
import { useBoot } from '../app/boot.tsx'
import { useNativeBridge } from '../browser/native-bridge.ts'

/**
 * The social connectors to offer here. The server and the first drawing know of no app around the page; its bridge
 * replaces them afterwards (contract 10.5). An app that cannot be talked to could not go on from any of them.
 */
export function useSocialConnectors(): SocialConnector[] {
  const { experience, preview } = useBoot()
  const bridge = useNativeBridge()
  if (preview) return experience.socialConnectors // chosen for what is previewed (client/preview/preview.tsx)
  if (bridge && !bridge.post) return []
  return connectorsFor(experience.socialConnectors, bridge?.surroundings ?? { kind: 'web' })
}
