import type { z } from 'zod'
import type { MessageConnectorType } from '../../contract/connectors/connectors.ts'
import type { MessageChoice } from '../../contract/connectors/message-previews.schema.ts'
import { isMailOnly, ORGANIZATION_INVITATION_MESSAGE } from '../../contract/connectors/message-types.ts'
import { refuseWith } from '../../contract/refused.ts'
import { DAY } from '../../contract/time.ts'
import { isNotice, variablesOf } from '../../domain/connectors/template-variables.ts'
import { originForMessages } from '../../domain/tenants/hosts.ts'
import { invitationUrl } from '../access/invitation-links.ts'
import { UNDO_PATH } from '../account/undo-link.ts'
import type { Dependencies } from '../dependencies.ts'
import type { OutgoingMessage } from './deliver.ts'
import { chooseMessageWording, type MessageRequest } from './send.ts'

const TEST_CODE = '000000' // spec/connectors#connector-test

/** A link of this form undoes nothing, because no change has it. In the same way, no invitation has the example. */
const EXAMPLE_CHANGE = `${UNDO_PATH}?change=example`

/**
 * Returns a message of any type with example values, in the wording of the tenant. A notice mentions the request of the
 * operator as the one that caused it. Without a choice, the message has the type `Generic` and the language of the
 * request.
 */
export async function createSampleMessage(
  dependencies: Pick<Dependencies, 'experience' | 'phrases' | 'settings' | 'now'>,
  { tenantId, host, acceptLanguage, caller }: MessageRequest,
  {
    channel,
    usageType: type = 'Generic',
    language,
  }: Partial<z.infer<typeof MessageChoice>> & { channel: MessageConnectorType },
): Promise<Omit<OutgoingMessage, 'channel' | 'to' | 'requestId'>> {
  // Invitations are only sent by email.
  if (channel === 'Sms' && isMailOnly(type)) refuseWith('connector.unexpected_type')
  const { settings, now } = dependencies
  const wording = await chooseMessageWording(dependencies, tenantId, { host, acceptLanguage })
  const variables = variablesOf(type)
  const origin = originForMessages(host, { ...settings, isDevelopment: settings.hosting.isDevelopment })
  const kind = type === ORGANIZATION_INVITATION_MESSAGE ? 'organization' : 'tenant'
  const exampleLink = isMailOnly(type) ? invitationUrl(origin, 'example', kind) : `${origin}${EXAMPLE_CHANGE}`
  return {
    type,
    ...wording,
    ...(language && { language }),
    host,
    code: variables.includes('code') ? TEST_CODE : '',
    organization: variables.includes('organization') ? 'Acme' : undefined,
    inviter: variables.includes('inviter') ? 'Ann Lee' : undefined,
    link: variables.includes('link') ? exampleLink : undefined,
    aboutAt: variables.includes('date') ? now() + 7 * DAY : undefined,
    notice: isNotice(type) ? { at: now(), facts: { ...caller }, notMe: undefined } : undefined,
  }
}
