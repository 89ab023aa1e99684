import { lastPart } from './path-pattern.ts'

export const SOCIAL_RETURN = '/sign-in/social/:connectorId'
export const SOCIAL_LINK = '/social/link/:connectorId'

/** The social connector that a page is about, by its address. Empty on other pages. */
export const connectorAt = (path: string): string =>
  lastPart(path, SOCIAL_RETURN) ?? lastPart(path, SOCIAL_LINK) ?? ''
