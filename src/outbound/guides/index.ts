import type { MessageFactoryId } from '../../contract/connectors/connectors.ts'
import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'
import { messageGuides } from './messages.ts'
import { regionalGuides } from './social-regional.ts'
import { worldwideGuides } from './social-worldwide.ts'
import { textMessageGuides } from './text-messages.ts'

/** How to set up each factory, in Markdown (spec/connectors#guides). Loaded for the calls that answer factories alone. */
export const guides: Record<MessageFactoryId | SocialFactoryId, string> = {
  ...messageGuides,
  ...textMessageGuides,
  ...worldwideGuides,
  ...regionalGuides,
}
