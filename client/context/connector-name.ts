import type { BootData } from '../../src/contract/interactions/boot.ts'

/** Returns a connector's name as shown on its button, or its id if the connector no longer exists. */
export function getConnectorName(
  { experience, language }: Pick<BootData, 'experience' | 'language'>,
  id: string,
) {
  const name = experience.socialConnectors.find((connector) => connector.id === id)?.name
  return name?.[language] ?? name?.en ?? id
}
