import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'

/** The query of a page without the interaction, which every address names anyway. */
export function ownQuery(search: string): string {
  const query = new URLSearchParams(search)
  query.delete(INTERACTION_PARAM)
  return query.size > 0 ? `?${query}` : ''
}

/** The last part of a path whose pattern ends in a name, as in `/social/link/:connectorId`. Null for another path. */
export function lastPart(path: string, pattern: string): string | null {
  const [start = '', name] = pattern.split(':')
  const part = `${path}/`.startsWith(start) ? path.slice(start.length) : '/'
  return name === undefined || part.includes('/') ? null : part
}

export const SOCIAL_RETURN = '/sign-in/social/:connectorId'
export const SOCIAL_LINK = '/social/link/:connectorId'

/** The social connector that a page is about, by its address. Empty on other pages. */
export const connectorAt = (path: string): string =>
  lastPart(path, SOCIAL_RETURN) ?? lastPart(path, SOCIAL_LINK) ?? ''
