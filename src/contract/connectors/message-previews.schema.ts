import { z } from 'zod'
import { LanguageTag } from '../experience/custom-phrases.schema.ts'
import { storableText } from '../text.schema.ts'
import { usageTypes } from './message-types.ts'

/** Names a type of message and a language, for a test or a preview (spec/connectors#message-templates). */
export const MessageChoice = z.strictObject({
  usageType: z.enum(usageTypes),
  language: LanguageTag,
})

const MAX_TEMPLATE = 100_000 // characters

/** The body of POST /connectors/{factoryId}/message-preview. Without a template, the built-in message is rendered. */
export const MessagePreviewRequest = MessageChoice.extend({
  template: z
    .strictObject({
      subject: storableText(1_000).optional(),
      content: storableText(MAX_TEMPLATE).min(1),
      contentType: z.enum(['text/plain', 'text/html']).optional(),
    })
    .optional(),
}).meta({ id: 'MessagePreviewRequest' })

/** Text messages have only a text. An e-mail whose template is HTML has no text, and the other way round. */
const Parts = z.object({
  subject: z.string().nullable(),
  text: z.string().nullable(),
  html: z.string().nullable(),
})

/** A message with example values, and the built-in message of its type as a template to begin with. */
export const MessagePreview = Parts.extend({ builtIn: Parts }).meta({ id: 'MessagePreview' })
