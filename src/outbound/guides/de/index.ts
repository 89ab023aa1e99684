import type { MessageFactoryId } from '../../../contract/connectors/connectors.ts'
import type { SocialFactoryId } from '../../../contract/social/social-connectors.ts'
import { messageGuides } from './messages.ts'
import { regionalGuides } from './social-regional.ts'
import { worldwideGuides } from './social-worldwide.ts'
import { textMessageGuides } from './text-messages.ts'

export { germanFieldWords } from './field-words.ts'

/** The German setup guides of all connector factories (spec/connectors#guides). */
export const germanGuides: Record<MessageFactoryId | SocialFactoryId, string> = {
  ...messageGuides,
  ...textMessageGuides,
  ...worldwideGuides,
  ...regionalGuides,
}
