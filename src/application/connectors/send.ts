import type { ConnectorFailureCode, MessageType } from '../../contract/connectors/connectors.ts'
import { errorCatalogue, type Refusal, refuse } from '../../contract/errors.ts'
import { RefusalError, refuseWith } from '../../contract/refused.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import { chooseLanguage, parseAcceptLanguage } from '../../domain/experience/language.ts'
import { maskIdentifier, maskQuotedSecrets } from '../../domain/masking.ts'
import type { ConnectorFailure } from '../../outbound/failure.ts'
import { findMessageConnector } from '../../storage/connectors/connectors.ts'
import { logEvent, logFailure } from '../../storage/event-log.ts'
import { insertServiceLog } from '../../storage/service-logs.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  deliverMessage,
  type MessageSender,
  type OutgoingMessage,
  type SendingDependencies,
} from './deliver.ts'

/** The request that a message follows from. */
export type MessageRequest = {
  tenantId: string
  requestId: string
  /** The host at which the code is entered, with its port. */
  host: string
  acceptLanguage: string | undefined
}

export type CodeMessage = { address: VerifiedAddress; type: MessageType; code: string }

/** Sends a code to an address, in the language of the request (spec/accounts#code-message). */
export async function sendCode(
  dependencies: SendingDependencies & Pick<Dependencies, 'experience' | 'phrases'>,
  { tenantId, requestId, host, acceptLanguage }: MessageRequest,
  { address, type, code }: CodeMessage,
): Promise<{ connectorId: string }> {
  return sendMessage(dependencies, tenantId, {
    channel: address.type === 'email' ? 'email' : 'sms',
    to: address.value,
    type,
    code,
    ...(await messageWording(dependencies, tenantId, acceptLanguage)),
    host,
    requestId,
  })
}

/** Sends through the tenant's connector. Refused with `connector.*` when the provider did not accept the message. */
export async function sendMessage(
  dependencies: SendingDependencies,
  tenantId: string,
  message: OutgoingMessage,
): Promise<{ connectorId: string }> {
  const type = message.channel === 'email' ? 'Email' : 'Sms'
  const sender = await findMessageConnector(dependencies, tenantId, type)
  if (!sender) refuseWith('connector.not_found', { type })
  await sendThrough(dependencies, tenantId, sender, message)
  return { connectorId: sender.id }
}

/** The same through a given connector (spec/connectors#connector-test). */
export async function sendThrough(
  dependencies: SendingDependencies,
  tenantId: string,
  sender: MessageSender,
  message: OutgoingMessage,
): Promise<void> {
  const failure = await deliverMessage(dependencies, tenantId, sender, message)
  await recordMessage(dependencies, tenantId, { sender, message, failure })
  if (!failure) return
  logFailedMessage({ sender, message, failure })
  throw new RefusalError(connectorRefusal(failure))
}

type Sent = { sender: MessageSender; message: OutgoingMessage; failure: ConnectorFailure | null }

/**
 * Before the answer, because an isolate may end in between, and a message that a provider received must be found in the
 * log. The message cannot be taken back: a row that cannot be written goes to the event log and fails nothing.
 */
async function recordMessage(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  tenantId: string,
  { sender, message, failure }: Sent,
): Promise<void> {
  const { channel, to, type, requestId } = message
  const entry = {
    type: channel === 'email' ? ('sendEmail' as const) : ('sendSms' as const),
    payload: {
      to: maskIdentifier({ type: channel === 'email' ? 'email' : 'phone', value: to }),
      messageType: type,
      connectorId: sender.id,
      factoryId: sender.factoryId,
      result: failure ? 'Error' : 'Success',
      ...(failure && { error: `connector.${failure.code}` }),
      requestId,
    },
    createdAt: now(),
  }
  try {
    await insertServiceLog(db, tenantId, entry)
  } catch (error) {
    logFailure(error, { serviceLog: entry.payload, tenantId })
  }
}

/** For the operator: the provider's own words. */
function logFailedMessage({ sender, message, failure }: Sent & { failure: ConnectorFailure }): void {
  logEvent('message_not_sent', {
    requestId: message.requestId,
    connectorId: sender.id,
    factoryId: sender.factoryId,
    reason: failure.code,
    // Templates are left out of the masking: they are not secret, and a provider's error consists of their words.
    detail: withoutCode(
      maskQuotedSecrets(failure.detail, [{ ...sender.config, templates: undefined }, message.to]),
      message.code,
    ),
  })
}

/** In no text: a notice has no code. */
const NO_CODE = '\u0000'

/** A provider's error may quote what it was sent, and codes are in no log (spec/accounts#secrets). */
const withoutCode = (detail: unknown, code: string) =>
  detail === undefined ? undefined : JSON.stringify(detail).replaceAll(code || NO_CODE, '******')

/**
 * What a message is written with: the name of the brand, where the tenant has one, and the language, the first of the request's languages in which the tenant has phrases, else the tenant's
 * fallback language (spec/accounts#code-message).
 */
export async function messageWording(
  { experience, phrases }: Pick<Dependencies, 'experience' | 'phrases'>,
  tenantId: string,
  acceptLanguage: string | undefined,
): Promise<{ language: string; brand: string | undefined }> {
  const [{ branding, languageInfo }, available] = await Promise.all([
    experience.get(tenantId),
    phrases.languages(tenantId),
  ])
  const language = chooseLanguage({
    requested: [...parseAcceptLanguage(acceptLanguage), languageInfo.fallbackLanguage],
    available,
    fallback: 'en',
  })
  return { language, brand: branding.name }
}

/** The refusal for a connector's failure (spec/errors#connector-failures). */
export function connectorRefusal({ code, data }: ConnectorFailure): Refusal {
  const errorCode: `connector.${ConnectorFailureCode}` = `connector.${code}`
  return refuse(errorCode, data, errorCatalogue[errorCode].status)
}
