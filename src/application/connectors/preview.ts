import type { z } from 'zod'
import type {
  MessagePreview,
  MessagePreviewRequest,
} from '../../contract/connectors/message-previews.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { Message } from '../../outbound/messages/message.ts'
import { renderBuiltInTemplate, renderMessage } from '../../outbound/messages/templates.ts'
import type { Dependencies } from '../dependencies.ts'
import { findFactory } from './describe.ts'
import { createSampleMessage } from './sample-message.ts'
import type { MessageRequest } from './send.ts'

type Preview = { factoryId: string; request: z.infer<typeof MessagePreviewRequest> }

/** Renders a template, or the built-in message, with example values (ADR-0182). Sends and stores nothing. */
export async function previewMessage(
  dependencies: Pick<Dependencies, 'experience' | 'phrases' | 'settings' | 'now'>,
  messageRequest: MessageRequest,
  { factoryId, request: { template, usageType, language } }: Preview,
): Promise<z.infer<typeof MessagePreview>> {
  const factory = findFactory(factoryId)
  if (!factory) refuseWith('connector.not_found', { factoryId })
  if (!('type' in factory)) refuseWith('connector.unexpected_type')
  const sample = await createSampleMessage(dependencies, messageRequest, {
    channel: factory.type,
    usageType,
    language,
  })
  const message = { ...sample, to: '' }
  const config = template ? { templates: [{ ...template, usageType }] } : {}
  const [rendered, builtIn] = await Promise.all([
    renderMessage(factory.type, config, message),
    renderBuiltInTemplate(factory.type, message),
  ])
  return { ...toParts(rendered), builtIn: toParts(builtIn) }
}

const toParts = ({ subject, text, html }: Pick<Message, 'subject' | 'text' | 'html'>) => ({
  subject: subject ?? null,
  text: text ?? null,
  html: html ?? null,
})
