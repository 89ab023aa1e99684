import type { MessageFactoryId } from '../../contract/connectors/connectors.ts'
import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'
import { messageGuides } from './german-messages.ts'
import { regionalGuides } from './german-social-regional.ts'
import { worldwideGuides } from './german-social-worldwide.ts'
import { textMessageGuides } from './german-text-messages.ts'

export { germanFieldWords } from './german-field-words.ts'

/** The German setup guides of all connector factories (spec/connectors#guides). */
export const germanGuides: Record<MessageFactoryId | SocialFactoryId, string> = {
  ...messageGuides,
  ...textMessageGuides,
  ...worldwideGuides,
  ...regionalGuides,
}
