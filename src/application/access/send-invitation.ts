import {
  INVITATION_MESSAGE,
  ORGANIZATION_INVITATION_MESSAGE,
} from '../../contract/connectors/message-types.ts'
import { originForMessages } from '../../domain/tenants/hosts.ts'
import { findMessageConnector } from '../../storage/connectors/connectors.ts'
import type { AttemptToCount } from '../../storage/rate-limits.ts'
import { type AttemptDependencies, requireAttempts } from '../attempts.ts'
import type { SendingDependencies } from '../connectors/deliver.ts'
import { chooseMessageWording, type MessageRequest, sendMessage } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import { generateInvitationToken, invitationUrl } from './invitation-links.ts'

export type InvitationSending = SendingDependencies &
  AttemptDependencies &
  Pick<Dependencies, 'experience' | 'phrases'>

type Recipient = {
  email: string
  /** The language of the message, or null for the tenant's fallback language. */
  language: string | null
  expiresAt: number
  /** The organisation and the inviter, if the invitation is to an organisation. */
  subject?: { organization: string; inviter: string | undefined }
}

/**
 * Sends a link to the address of an invitation, and returns its token. The link is new, because only a link that nobody
 * but the owner of the address has seen proves the address (ADR-0184). `attempts` are counted first.
 */
export async function sendInvitationLink(
  dependencies: InvitationSending,
  { tenantId, requestId, host }: Pick<MessageRequest, 'tenantId' | 'requestId' | 'host'>,
  { email, language, expiresAt, subject }: Recipient,
  attempts: readonly AttemptToCount[],
): Promise<{ token: string; connectorId: string }> {
  const { settings } = dependencies
  await requireAttempts(dependencies, tenantId, [
    ...attempts,
    ...(subject ? [] : [{ limit: 'invitationSendsPerTenant', tenant: true } as const]),
  ])
  const token = generateInvitationToken()
  const { isDevelopment } = settings.hosting
  const origin = originForMessages(host, { ...settings, isDevelopment })
  const request = { host, acceptLanguage: language ?? undefined }
  const { connectorId } = await sendMessage(dependencies, tenantId, {
    channel: 'email',
    to: email,
    type: subject ? ORGANIZATION_INVITATION_MESSAGE : INVITATION_MESSAGE,
    code: '',
    ...subject,
    link: invitationUrl(origin, token, subject ? 'organization' : 'tenant'),
    aboutAt: expiresAt,
    ...(await chooseMessageWording(dependencies, tenantId, request)),
    host,
    requestId,
  })
  return { token, connectorId }
}

/** Checks whether the tenant has a connector with which links can be sent. */
export const canSendInvitations = async (
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'settings'>,
  tenantId: string,
): Promise<boolean> => (await findMessageConnector(dependencies, tenantId, 'Email')) !== null
