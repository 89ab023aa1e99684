import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'
import { CHANGE_PASSWORD_STATE } from '../../src/contract/product.ts'

/** Returns the query of a page without the interaction id. The id is added to every URL anyway. */
export function queryWithoutInteraction(search: string): string {
  const query = new URLSearchParams(search)
  query.delete(INTERACTION_PARAM)
  return query.size > 0 ? `?${query}` : ''
}

/**
 * Returns the last segment of a path if it matches a pattern that ends in a parameter, such as
 * `/social/link/:connectorId`, or null if it does not.
 */
export function extractLastSegment(path: string, pattern: string): string | null {
  const [start = '', name] = pattern.split(':')
  const part = `${path}/`.startsWith(start) ? path.slice(start.length) : '/'
  return name === undefined || part.includes('/') ? null : part
}

export const SOCIAL_RETURN_PATH = '/sign-in/social/:connectorId'
export const SOCIAL_LINK_PATH = '/social/link/:connectorId'
/** The path of the page for users who can use none of their second factors. */
export const RECOVERY_PATH = '/second-factor/recovery'
export const SPRINGBOARD_PATH = '/springboard'

/** Returns the id of the social connector in the path of a page, or an empty string for other pages. */
export const connectorIdFromPath = (path: string): string =>
  extractLastSegment(path, SOCIAL_RETURN_PATH) ?? extractLastSegment(path, SOCIAL_LINK_PATH) ?? ''

/** Checks whether the user comes to `/signed-in` after a password change that no application requested. */
export const isPasswordChange = (search: string): boolean =>
  new URLSearchParams(search).get('state') === CHANGE_PASSWORD_STATE
