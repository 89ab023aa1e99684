import type { BootData } from '../../src/contract/interactions/boot.ts'

/** Returns the name of a connector as its button shows it, or the id of a connector that no longer exists. */
export function connectorName(
  { experience, language }: Pick<BootData, 'experience' | 'language'>,
  id: string,
) {
  const name = experience.socialConnectors.find((connector) => connector.id === id)?.name
  return name?.[language] ?? name?.en ?? id
}
