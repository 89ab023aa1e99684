import type { BootData } from '../../src/contract/interactions/boot.ts'

/** As the buttons name it; the id of a connector that is gone. */
export function connectorName(
  { experience, language }: Pick<BootData, 'experience' | 'language'>,
  id: string,
) {
  const name = experience.socialConnectors.find((connector) => connector.id === id)?.name
  return name?.[language] ?? name?.en ?? id
}
