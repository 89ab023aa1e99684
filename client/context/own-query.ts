import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'

/** The query of a page without the interaction, which every address names anyway. */
export function ownQuery(search: string): string {
  const query = new URLSearchParams(search)
  query.delete(INTERACTION_PARAM)
  return query.size > 0 ? `?${query}` : ''
}
