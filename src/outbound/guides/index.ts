import type { MessageFactoryId } from '../../contract/connectors/connectors.ts'
import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'
import { messageGuides } from './messages.ts'
import { regionalGuides } from './social-regional.ts'
import { worldwideGuides } from './social-worldwide.ts'
import { textMessageGuides } from './text-messages.ts'

/**
 * The setup guides of all connector factories, in Markdown (spec/connectors#guides). They are loaded only when the API
 * returns a factory with its guide.
 */
export const setupGuides: Record<MessageFactoryId | SocialFactoryId, string> = {
  ...messageGuides,
  ...textMessageGuides,
  ...worldwideGuides,
  ...regionalGuides,
}
